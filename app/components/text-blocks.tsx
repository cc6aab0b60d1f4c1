/** A person's text, as parsed by `readText`: paragraphs, lists and links. */
import type { TextBlock, TextRun } from "#app/model/text-blocks.ts";

export function TextBlocks({ blocks }: { blocks: readonly TextBlock[] }) {
  return (
    <div className="grid max-w-text gap-3 wrap-anywhere">
      {blocks.map((block, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two blocks may be alike
        <Block key={i} block={block} />
      ))}
    </div>
  );
}

function Block({ block }: { block: TextBlock }) {
  if (block.type === "paragraph") {
    return (
      <p className="whitespace-pre-wrap">
        <Runs runs={block.runs} />
      </p>
    );
  }
  const items = block.items.map((item, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: two items may be alike
    <li key={i} className="whitespace-pre-wrap">
      <Runs runs={item} />
    </li>
  ));
  if (block.start === null) return <ul className="list-disc pl-6">{items}</ul>;
  return (
    <ol start={block.start} className="list-decimal pl-6">
      {items}
    </ol>
  );
}

function Runs({ runs }: { runs: readonly TextRun[] }) {
  return runs.map(({ text, url }, i) =>
    url ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: two links may be alike
      <a key={i} className="link" href={url} rel="noopener nofollow">
        {text}
      </a>
    ) : (
      text
    ),
  );
}
