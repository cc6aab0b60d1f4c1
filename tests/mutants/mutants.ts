/** Single changes of a source, each as a slip of the hand would make it. */
import { parseSync } from "vite";

/** `replacement` in place of what stands from `start` to `end`, in the line counted from 1. */
export interface Mutant extends Place {
  file: string;
  line: number;
  operator: string;
  replacement: string;
  /** The expression or statement that is another one with it. */
  whole: Place;
  /** The innermost body it stands in; null where a module is loaded. */
  body: Body | null;
}

interface Place {
  start: number;
  end: number;
}

/** Of a function or a branch; `braces` unless it is the expression of an arrow function. */
interface Body extends Place {
  braces: boolean;
}

/** A node of the syntax tree; what it holds beside these depends on its type. */
interface Node extends Place {
  type: string;
  // biome-ignore lint/suspicious/noExplicitAny: the tree has a hundred shapes, read by their type.
  [field: string]: any;
}

const OTHERS: Readonly<Record<string, readonly string[]>> = {
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "===": ["!=="],
  "!==": ["==="],
  "&&": ["||"],
  "||": ["&&"],
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
};

/** A comparison behind WHERE, AND or ON, in SQL that is written by hand. */
const SQL_TERM =
  /(?<=\b(?:WHERE|AND|ON)\s+)(?:[\w.]+\s*(?:=|<>|<=|>=|<|>)\s*(?:\?|'[^']*'|[\w.]+)|[\w.]+ IS (?:NOT )?NULL)/g;

/** What only tells of the work, or ends it with a word to the programmer. */
const TELLS = /\blog\.|\bnew Error\(|\bmetrics\./;

const NO_CALL = "no call";

const isText = ({ type, value }: Node) =>
  type === "TemplateLiteral" || (type === "Literal" && typeof value === "string");

/** Every change of a source, in the order of their places. */
export function mutantsOf(file: string, source: string): Mutant[] {
  const { program } = parseSync(file, source);
  const nodes = [...nodesUnder(program as unknown as Node)];
  const numbers = nodes.filter(isNumberConstant).map(({ id }) => String(id.name));
  return nodes
    .flatMap((node) => [...changesOf(node, source, numbers)].map((change) => ({ node, change })))
    .map(({ node, change: [operator, start, end, replacement] }) => {
      const line = source.slice(0, start).split("\n").length;
      const whole = node.whole ?? placeOf(node);
      return { file, line, operator, start, end, replacement, whole, body: node.around };
    })
    .sort((a, b) => a.start - b.start || a.end - b.end);
}

export function apply(source: string, { start, end, replacement }: Mutant): string {
  return source.slice(0, start) + replacement + source.slice(end);
}

/**
 * The source with those of its changes that are `drawn`, each made only while `globalThis.mutants` has
 * its place there. It calls `globalThis.reached` with the name of each body of a change it enters.
 */
export function switched(
  source: string,
  mutants: readonly Mutant[],
  drawn: readonly Mutant[],
): string {
  const bodies = new Map(mutants.map((mutant) => [nameOfBody(mutant), mutant.body]));
  const marks = [...bodies].flatMap(([name, body]): Edit[] => {
    const call = `globalThis.reached?.(${JSON.stringify(name)})`;
    if (!body) return [];
    if (body.braces) return [{ ...body, edit: (inside) => `{${call};${inside.slice(1)}` }];
    return [{ ...body, edit: (inside) => `(${call},${inside})` }];
  });
  const changes = mutants.flatMap((mutant): Edit[] => {
    const number = drawn.indexOf(mutant);
    if (number < 0) return [];
    const isOn = `globalThis.mutants?.has(${number})`;
    const { whole, operator } = mutant;
    const after = source.length - whole.end;
    const changed = apply(source, mutant).slice(whole.start, after > 0 ? -after : undefined);
    const isStatement = operator === NO_CALL;
    return [
      {
        ...whole,
        edit: (inside) =>
          isStatement ? `{if(!${isOn}){${inside}}}` : `(${isOn}?(${changed}):(${inside}))`,
      },
    ];
  });
  const edits = [...marks, ...changes].sort((a, b) => a.start - b.start || b.end - a.end);
  return edited(source, { start: 0, end: source.length }, edits);
}

interface Edit extends Place {
  edit(inside: string): string;
}

/** `edits` are inside `place`, an outer one before those inside it. */
function edited(source: string, place: Place, edits: readonly Edit[]): string {
  let text = "";
  let at = place.start;
  for (let next = 0; next < edits.length; ) {
    const outer = edits[next]!;
    const outside = edits.findIndex(({ start }, index) => index > next && start >= outer.end);
    const inside = edits.slice(next + 1, outside < 0 ? undefined : outside);
    text += source.slice(at, outer.start) + outer.edit(edited(source, outer, inside));
    at = outer.end;
    next += 1 + inside.length;
  }
  return text + source.slice(at, place.end);
}

export const nameOfBody = ({ file, body }: Mutant) => `${file}:${body?.start}`;

type Change = [operator: string, start: number, end: number, replacement: string];

function* changesOf(node: Node, source: string, numbers: readonly string[]): Generator<Change> {
  const { type, start, end, left, right, operator, test } = node;
  const text = source.slice(start, end);
  const textOf = (part: Node) => source.slice(part.start, part.end);
  if (type === "BinaryExpression" || type === "LogicalExpression") {
    if (operator === "+" && (isText(left) || isText(right))) return;
    const between = source.slice(left.end, right.start);
    for (const other of OTHERS[operator] ?? []) {
      const replacement = between.replace(operator, other);
      yield [`${operator} to ${other}`, left.end, right.start, replacement];
    }
  } else if (type === "UnaryExpression" && operator === "!") {
    yield ["no !", start, end, textOf(node.argument)];
  } else if (type === "IfStatement" || type === "ConditionalExpression") {
    node.whole = placeOf(test);
    for (const truth of ["true", "false"]) yield [`always ${truth}`, test.start, test.end, truth];
  } else if (type === "ExpressionStatement") {
    const call = node.expression.argument ?? node.expression;
    if (call.type === "CallExpression" && !TELLS.test(text)) yield [NO_CALL, start, end, ";"];
  } else if (type === "CallExpression" && /^(and)?where(Ref)?$/i.test(node.callee.property?.name)) {
    yield ["no where", start, end, textOf(node.callee.object)];
  } else if (type === "Identifier" && numbers.includes(text) && !node.declares) {
    const other = numbers[(numbers.indexOf(text) + 1) % numbers.length]!;
    if (other !== text) yield ["other constant", start, end, other];
  } else if (type === "Literal" && typeof node.value === "boolean") {
    yield ["other truth", start, end, String(!node.value)];
  } else if (type === "Literal" && Number.isInteger(node.value)) {
    yield ["one more", start, end, String(node.value + 1)];
  } else if (type === "Literal" || type === "TemplateElement") {
    for (const { 0: term, index } of text.matchAll(SQL_TERM)) {
      // The parameters stay as many as they were.
      yield ["any row", start + index, start + index + term.length, `(${term} OR 1)`];
    }
  }
}

function isNumberConstant({ type, id, init }: Node): boolean {
  const isNumber = typeof init?.value === "number" || init?.type === "BinaryExpression";
  return type === "VariableDeclarator" && isNumber && /^[A-Z][A-Z0-9_]+$/.test(id.name);
}

/** All that runs: no type, no import, no property's name. */
function* nodesUnder(node: Node, outside: Body | null = null): Generator<Node> {
  const isType = node.type.startsWith("TS");
  if (node.type === "ImportDeclaration" || (isType && !node.expression)) return;
  if (node.type === "VariableDeclarator") node.id.declares = true;
  if (node.type === "Property" && node.shorthand) node.value.declares = true;
  if (node.type === "TaggedTemplateExpression") node.quasi.whole = placeOf(node);
  if (node.type === "TemplateLiteral") {
    for (const text of node.quasis) text.whole = node.whole ?? placeOf(node);
  }
  const around = node.type === "BlockStatement" ? { ...placeOf(node), braces: true } : outside;
  node.around = around;
  if (!isType) yield node;
  for (const [field, value] of Object.entries(node)) {
    const isName = (field === "property" || field === "key") && !node.computed;
    if (isName || (isType && field !== "expression")) continue;
    for (const child of [value].flat()) {
      if (typeof child?.type !== "string") continue;
      const isResult = node.type === "ArrowFunctionExpression" && field === "body";
      yield* nodesUnder(child, isResult ? { ...placeOf(child), braces: false } : around);
    }
  }
}

const placeOf = ({ start, end }: Node) => ({ start, end });
