import type { Config } from "@react-router/dev/config";

export default {
  ssr: true,
  appDirectory: ".",
  buildDirectory: "../../../data/bench/floor-app",
} satisfies Config;
