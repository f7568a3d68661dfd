import type { KnipConfig } from 'knip'

/** What `npm run knip` holds every export, file and dependency against: nothing that nobody reaches from these. */
const config: KnipConfig = {
  entry: [
    // What the build makes programs of is read from electron.vite.config.ts; these start otherwise.
    'server/cli/{bin,ensure-build}.mjs',
    'server/steady-memory.mjs',
    'resources/clients/typescript/src/index.ts',
    'resources/package/{index,prune-install,unpack}.{ts,mjs}',
    'resources/package/supply/{audit,write-sbom,installed-sizes,lock-engines}.ts',
    'test/{bench,clients,fuzz,package}/index.ts',
    'test/bench/*-process.ts',
    'test/golden/{sheet,contact}.ts',
    '**/*.test.ts',
    // Programs and threads that others start.
    'test/mutation/{runner,thread}.ts',
    'test/faults/power/work.ts',
    'test/golden/renew.ts',
    'test/support/{egress-program,faces-process,fake-yt-dlp,http-process,ingest-parent,jobs-process,network-page,orphan-parent}.ts',
    'test/e2e/preview/page.ts',
  ],
  project: ['{main,models,renderer,resources,server,test,workers}/**/*.{ts,mts,mjs,svelte}', '*.{ts,js}'],
  // The types of unpack.mjs; what openapi-typescript has made.
  ignore: ['resources/package/unpack.d.mts', 'resources/clients/typescript/src/schema.ts'],
  // Its files are named by renderer/tokens.css.
  ignoreDependencies: ['@fontsource-variable/inter'],
  ignoreBinaries: [
    'mount',
    'umount',
    'mkfifo',
    'dpkg-deb',
    'unshare',
    'setpriv',
    'nsenter',
    'strace',
    'runc',
    'ldd',
    'dpkg-query',
    'gpgv',
  ],
  ignoreExportsUsedInFile: { interface: true, type: true },
}
export default config
