export interface ToolResult {
  status: number;
  /** Empty where the output was let through. */
  output: string;
}

interface ToolOptions {
  env?: NodeJS.ProcessEnv;
  /** Lets the output through as it comes instead of keeping it. */
  echo?: boolean | undefined;
}

type Args = readonly string[];

export function runNodeTool(args: Args, options?: ToolOptions): Promise<ToolResult>;
export function runTool(program: string, args: Args, options?: ToolOptions): Promise<ToolResult>;
export function tail(output: string, lines?: number): string;
