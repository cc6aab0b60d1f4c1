/** A person's text, as parsed by `readText`: paragraphs, lists and links. */
import type { TextBlock, TextRun } from "#app/model/text-blocks.ts";

export function TextBlocks({ blocks }: { blocks: readonly TextBlock[] }) {
  return (
    <div className="grid max-w-text gap-3 wrap-anywhere">
      {blocks.map((block, i) => {
        const items =
          block.type === "list" &&
          block.items.map((item, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two items may be alike
            <li key={n} className="whitespace-pre-wrap">
              <Runs runs={item} />
            </li>
          ));
        const key = `${i}`;
        if (block.type === "paragraph")
          return (
            <p key={key} className="whitespace-pre-wrap">
              <Runs runs={block.runs} />
            </p>
          );
        if (block.start === null)
          return (
            <ul key={key} className="list-disc pl-6">
              {items}
            </ul>
          );
        return (
          <ol key={key} start={block.start} className="list-decimal pl-6">
            {items}
          </ol>
        );
      })}
    </div>
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
