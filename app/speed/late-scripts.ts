/**
 * Delays the scripts of a cached page until the visitor needs them: rewrites React Router's tags so
 * that `waitForVisitor` loads them. Tags of another form (in development, after an upgrade) stay as
 * they are and load at once.
 */
import { OFFLINE_WORDS } from "#app/model/wording.ts";
import { ALIVE, waitForVisitor } from "./wait-for-visitor.ts";

const PRELOAD = /<link[^>]* rel="modulepreload"[^>]*>/g;
const MODULE = /(<script[^>]* type="module"[^>]*>)([^<]*)(<\/script>)/;
const IMPORT = /^import \* as (\w+) from ("[^"]+");$/gm;
const ENTRY = /^import\("[^"]+"\);$/m;

/** To be called before the scripts are hashed for the page's policy. */
export function delayScripts(page: Buffer): Buffer {
  const html = page.toString();
  const [, tag, code = "", end] = MODULE.exec(html) ?? [];
  const body = code.replace(IMPORT, "").replace(ENTRY, (entry) => `return ${entry}`);
  if (!ENTRY.test(code) || /^import\b/m.test(body)) return page;
  const files = [...html.matchAll(PRELOAD)].map(([link]) => / href="([^"]+)"/.exec(link)?.[1]);
  const imports = [...code.matchAll(IMPORT)];
  const names = imports.map(([, name]) => name).join(",");
  const loads = imports.map(([, , file]) => `import(${file})`).join(",");
  const load = `async()=>{const [${names}]=await Promise.all([${loads}])${body}}`;
  const said = JSON.stringify({ alive: ALIVE, words: OFFLINE_WORDS });
  const late = `(${waitForVisitor})(${JSON.stringify(files)},${said},${load})`;
  return Buffer.from(
    html.replaceAll(PRELOAD, "").replace(MODULE, () => tag + withoutIndent(late) + end),
  );
}

function withoutIndent(code: string): string {
  return code.replace(/\n\s+/g, "\n");
}
