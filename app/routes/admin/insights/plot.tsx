/** A plot as SVG, with its title, a sentence and its numbers as a table. */
import { useId } from "react";
import { Link } from "react-router";
import { Part } from "#app/routes/admin/parts/form-parts.tsx";
import { BoardHead } from "#app/routes/admin/parts/list-parts.tsx";
import type { BarPlot, ColumnPlot, FigureTable, Fill } from "./figures.server.ts";
import type { Figure } from "./insights-view.server.ts";

export function FigureCard({ figure }: { figure: Figure }) {
  const { id, title, sentence, columns, bars, table } = figure;
  const words = `${title}. ${sentence} The table has every number.`;
  return (
    <Part id={id} title={title} className="mb-4 p-4">
      <p className="max-w-text">{sentence}</p>
      {columns && <Columns plot={columns} words={words} />}
      {bars && <Bars plot={bars} words={words} />}
      <details className="plot-table mt-3" open={!columns && !bars}>
        <summary className="link inline-flex min-h-11 cursor-pointer items-center">
          The numbers<span className="sr-only"> of: {title}</span>
        </summary>
        <Numbers table={table} />
      </details>
    </Part>
  );
}

function Columns({ plot, words }: { plot: ColumnPlot; words: string }) {
  const id = useId();
  return (
    <>
      <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-sm" aria-hidden="true">
        {plot.key.map(({ name, fill }) => (
          <li key={name} className="flex items-center gap-1.5">
            <svg width="16" height="16" aria-hidden="true">
              <rect x="1" y="1" width="14" height="14" {...filled(fill, id)} />
            </svg>
            {name}
          </li>
        ))}
      </ul>
      {/* The height of the columns, plus a line of labels. */}
      <svg role="img" aria-label={words} className="plot plot-columns" height={plot.height + 40}>
        <Patterns id={id} />
        <g transform="translate(0 12)">
          {plot.ticks.map(({ y, label }) => (
            <g key={y}>
              <line x1="0" x2="100%" y1={y} y2={y} className="plot-line" />
              <text x="-8" y={y + 4} textAnchor="end">
                {label}
              </text>
            </g>
          ))}
          {plot.shapes.map(({ fill, ...box }) => (
            <rect key={`${box.x} ${fill}`} {...box} {...filled(fill, id)} />
          ))}
          {plot.labels.map(({ x, label }) => (
            <text key={label} x={x} y={plot.height + 20} textAnchor="middle">
              {label}
            </text>
          ))}
        </g>
      </svg>
    </>
  );
}

function Bars({ plot, words }: { plot: BarPlot; words: string }) {
  return (
    <svg role="img" aria-label={words} className="plot plot-bars mt-3" height={plot.height}>
      {plot.bars.map(({ y, width, label, words: value }) => (
        <g key={label}>
          <text x="0" y={y + 14}>
            {label}
            <tspan dx="8" className="plot-value">
              {value}
            </tspan>
          </text>
          <rect x="0" y={y + 20} width={width} height="16" className="plot-solid" />
        </g>
      ))}
    </svg>
  );
}

const isPattern = (fill: Fill) => fill === "dots" || fill === "hatch";

/** Patterns are defined in the SVG, plain fills in the stylesheet. */
function filled(fill: Fill, id: string) {
  return {
    className: `plot-${fill}`,
    ...(isPattern(fill) && { fill: `url(#${id}${fill})` }),
  };
}

function Patterns({ id }: { id: string }) {
  const tile = { width: 6, height: 6, patternUnits: "userSpaceOnUse" } as const;
  return (
    <defs>
      <pattern id={`${id}hatch`} {...tile} patternTransform="rotate(45)">
        <path d="M1 0v6" className="plot-stroke" />
      </pattern>
      <pattern id={`${id}dots`} {...tile}>
        <circle cx="3" cy="3" r="1.5" className="plot-dot" />
      </pattern>
    </defs>
  );
}

/** The numbers as a table; with many columns, each row is a card on a phone. */
export function Numbers({ table }: { table: FigureTable }) {
  const [heading, ...columns] = table.columns;
  return (
    <table className={columns.length > 2 ? "board" : "narrow-table"}>
      <BoardHead names={table.columns} numbers={columns} />
      <tbody>
        {table.rows.map(({ name, cells }) => (
          <tr key={name}>
            <th scope="row" data-label={heading}>
              {name}
            </th>
            {cells.map(({ words, to }, i) => (
              <td key={columns[i]} data-label={columns[i]} className="number">
                {to ? (
                  <Link to={to} className="link inline-block min-w-6">
                    {words}
                    <span className="sr-only">
                      {" "}
                      {columns[i]}, {name}
                    </span>
                  </Link>
                ) : (
                  words
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
