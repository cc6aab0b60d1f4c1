/** `npm run build`: the production build, with its output shown. */
import { makeBuild } from "#scripts/process/production-build.ts";

const { status } = await makeBuild({ echo: true });
if (status !== 0) console.error("The build failed.");
process.exit(status);
