/**
 * One build for the three sides of the product: `out/main` (plain Node: shell, server, engine, pool thread, reaper,
 * lists of clips, command line), `out/preload`, `out/renderer`. npm packages stay outside the bundles but for a
 * few; natives could not be inside.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig, type UserConfig } from 'electron-vite'
import { precompress, precompressFonts } from './server/cli/precompress.ts'
import { licencesFile } from './server/cli/shipped-packages.ts'

const root = import.meta.dirname
const at = (...path: string[]) => join(root, ...path)

/**
 * Packages that go into the bundle after all: most of them are hundreds of small files of which we use a few. Loaded
 * from node_modules they cost 1.3 s of the start and 120 MB of memory; bundled, hardly anything.
 */
export const BUNDLED = [
  'drizzle-orm',
  'elysia',
  '@elysiajs/node',
  '@sinclair/typebox',
  'srvx',
  'ipaddr.js',
  'sirv',
  'bidi-js',
]

const main: NonNullable<UserConfig['main']> = {
  build: {
    outDir: at('out/main'),
    externalizeDeps: { exclude: BUNDLED },
    // A running appliance may still load the chunks of the build before; ensure-build.mjs removes old ones later.
    emptyOutDir: false,
    minify: false,
    target: 'node22',
    rollupOptions: {
      input: {
        index: at('main/index.ts'),
        server: at('server/index.ts'),
        engine: at('workers/engine.ts'),
        'pool-thread': at('workers/entry.ts'),
        reaper: at('workers/media/reaper-process.ts'),
        'clip-lists': at('server/db/clip-lists/thread.ts'),
        'passage-search': at('server/db/passage-search/thread.ts'),
        'full-check': at('server/db/full-check/thread.ts'),
        argon2: at('server/domain/people/argon2/thread.ts'),
        cli: at('server/cli/main.ts'),
      },
      output: {
        format: 'es',
        entryFileNames: '[name].js',
        // No subfolder: code finds its sibling programs beside itself (server/jobs/engine-client.ts).
        chunkFileNames: '[name]-[hash].js',
      },
    },
  },
}

const preload: NonNullable<UserConfig['preload']> = {
  build: {
    outDir: at('out/preload'),
    emptyOutDir: true,
    rollupOptions: {
      input: { preload: at('main/preload.ts') },
      // A sandboxed preload script must be CommonJS.
      output: { format: 'cjs', entryFileNames: '[name].cjs' },
    },
  },
}

const renderer: NonNullable<UserConfig['renderer']> = {
  root: at('renderer'),
  experimental: {
    // The pages of the APIs are served below /docs; the studio's own names stay relative.
    renderBuiltUrl: (name, { hostId }) =>
      hostId.endsWith('api-docs.html') ? `/${name}` : { relative: true },
  },
  plugins: [
    svelte({ configFile: at('renderer/svelte.config.js') }),
    {
      name: 'cutroom-licences',
      generateBundle() {
        this.emitFile({ type: 'asset', fileName: 'licences.json', source: licencesFile(root) })
      },
    },
    {
      name: 'cutroom-precompress',
      async writeBundle(_, bundle) {
        await precompress(at('out/renderer'), Object.keys(bundle))
        await precompressFonts(at('resources/fonts'), at('out/renderer/fonts'))
      },
    },
  ],
  build: {
    outDir: at('out/renderer'),
    emptyOutDir: false,
    minify: true,
    target: 'es2023',
    rollupOptions: {
      input: {
        index: at('renderer/index.html'),
        'api-docs': at('renderer/api-docs.html'),
        shared: at('renderer/shared.html'),
      },
    },
  },
}

export default defineConfig({
  main,
  preload,
  ...(existsSync(at('renderer/index.html')) ? { renderer } : {}),
})
