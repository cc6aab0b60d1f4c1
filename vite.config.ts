import { promises as fs } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";

/** In development our own server answers, so that requests are handled as in production. */
function ownServer(): Plugin {
  return {
    name: "own-server",
    apply: "serve",
    configureServer(vite) {
      return () => {
        vite.middlewares.use(async (request, response, next) => {
          try {
            const { developmentListener } = await vite.ssrLoadModule("/app/server.ts");
            request.url = request.originalUrl ?? request.url;
            await developmentListener(request, response);
          } catch (error) {
            if (error instanceof Error) vite.ssrFixStacktrace(error);
            next(error);
          }
        });
      };
    },
  };
}

/** The server is one entry, each worker another: a thread needs a file of its own. */
function serverEntries(): Plugin {
  return {
    name: "server-entries",
    apply: "build",
    configEnvironment(name) {
      if (name !== "ssr") return;
      return {
        // Not in development: some of these are CommonJS, which Vite cannot evaluate there.
        resolve: { noExternal: BUNDLED },
        build: {
          rollupOptions: {
            output: {
              entryFileNames: (chunk) => (chunk.name === "server" ? "index.js" : "[name].js"),
            },
          },
        },
      };
    },
  };
}

/** Writes `.br` and `.gz` beside every text file of the client build; they are served as they are. */
function precompress(): Plugin {
  return {
    name: "precompress",
    apply: "build",
    applyToEnvironment: (environment) => environment.name === "client",
    writeBundle: {
      order: "post",
      async handler(options) {
        const folder = options.dir ?? "build/client";
        const files = await fs.readdir(folder, { recursive: true, withFileTypes: true });
        await Promise.all(
          files
            .filter(
              (file) => file.isFile() && /\.(js|css|svg|json|txt|xml|webmanifest)$/.test(file.name),
            )
            .map((file) => compressFile(join(file.parentPath, file.name))),
        );
      },
    },
  };
}

async function compressFile(path: string): Promise<void> {
  const bytes = await fs.readFile(path);
  if (bytes.length < 512) return;
  const brotli = promisify(brotliCompress);
  await fs.writeFile(
    `${path}.br`,
    await brotli(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  );
  await fs.writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }));
}

/** What the booking page shares with other pages. */
const FIRST_VISIT = [
  "components/(api-client|captain-card|field|icons|toasts)",
  "model/(catalogue|dates|gstin|money|outcome|price|statuses|wording)",
  "routes/public/parts/(boarding-pass|form-parts|form-problem|own-time|public-page|use-refresh)",
];

/** Few files for the first visit: every request has headers of about a kilobyte. */
const browserFiles = [
  {
    name: "framework",
    test: /node_modules\/(react|react-dom|react-router|scheduler)\//,
    priority: 10,
  },
  {
    name: "page",
    test: new RegExp(`app/(${FIRST_VISIT.join("|")})\\.tsx?`),
    minShareCount: 2,
  },
];

/** Of many files each: a thousand of them to find and read are most of a start. */
const BUNDLED =
  /^(kysely|zod|libphonenumber-js|react-router|date-fns|prom-client|tdigest|bintrees|cookie-es|@opentelemetry|@date-fns|@conform-to|@remix-run|@react-router|remix-)/;

export default defineConfig({
  plugins: [tailwindcss(), ownServer(), reactRouter(), serverEntries(), precompress()],
  build: { assetsInlineLimit: 0, sourcemap: false },
  environments: {
    client: {
      build: { rollupOptions: { output: { codeSplitting: { groups: browserFiles } } } },
    },
    ssr: {
      build: {
        sourcemap: true,
        rollupOptions: {
          input: {
            server: "./app/server.ts",
            "document-worker": "./app/documents/render/thread.ts",
            "backup-check": "./db/backup-check.server.ts",
            "calendar-thread": "./app/availability/calendar-thread.ts",
            "password-thread": "./app/auth/password-thread.ts",
            "portrait-process": "./app/catalogue/portrait-process.ts",
            "watchdog-thread": "./app/http/watchdog/thread.ts",
          },
        },
      },
    },
  },
});
