/**
 * Desktop packages by electron-builder (AppImage, deb, dmg, nsis). The archive (asar) holds the shell alone; the appliance
 * lies beside it as plain files, the same that the other packages hold, so natives, ffmpeg and Node run from the disk.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Target } from './contents.ts'
import { ICON } from './icon.ts'
import { ROOT, stageShell, type Staged } from './stage.ts'

const BUILDER = join(import.meta.dirname, 'builder')

/** Files that the desktop opens with Cutroom: the shell makes a run of them. */
export const OPENS = [
  { ext: ['mp4', 'm4v'], name: 'MPEG-4 video', mimeType: 'video/mp4' },
  { ext: 'mov', name: 'QuickTime video', mimeType: 'video/quicktime' },
  { ext: 'mkv', name: 'Matroska video', mimeType: 'video/x-matroska' },
  { ext: 'webm', name: 'WebM video', mimeType: 'video/webm' },
  { ext: ['mxf'], name: 'MXF video', mimeType: 'application/mxf' },
  { ext: ['mp3', 'm4a', 'wav', 'flac'], name: 'Audio', mimeType: 'audio/mpeg' },
] as const

export interface DesktopOrder {
  /** The staged shell's folder, the staged appliance's, and where packages go. */
  readonly appliance: string
  readonly out: string
  readonly electronVersion: string
  /** A folder with Electron's program instead of a download; null: downloaded. */
  readonly electronDist: string | null
}

/** electron-builder's configuration for `target`. */
function builderConfiguration(target: Target, order: DesktopOrder): Record<string, unknown> {
  return {
    appId: 'video.cutroom.studio',
    productName: 'Cutroom',
    copyright: 'MIT',
    electronVersion: order.electronVersion,
    ...(order.electronDist === null ? {} : { electronDist: order.electronDist }),
    directories: { output: order.out },
    files: ['package.json', 'out/**'],
    asar: true,
    // A folder's own node_modules is left out by the builder, unless it is what is copied.
    extraResources: ['', '/node_modules'].map((folder) => ({
      from: `${order.appliance}${folder}`,
      to: `appliance${folder}`,
      filter: ['**/*'],
    })),
    npmRebuild: false,
    nodeGypRebuild: false,
    buildDependenciesFromSource: false,
    // No update address is written into the package: see docs/guide-install.md.
    publish: null,
    electronFuses: {
      // macOS has no Node of its own in the package: there the appliance runs on Electron's.
      runAsNode: target.os === 'darwin',
      enableCookieEncryption: true,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      onlyLoadAppFromAsar: true,
    },
    icon: ICON,
    fileAssociations: OPENS.map((kind) => ({ ...kind, role: 'Viewer' })),
    linux: {
      target: ['AppImage', 'deb'],
      category: 'AudioVideo',
      executableName: 'cutroom-desktop',
      syncDesktopName: true,
    },
    deb: { packageName: 'cutroom-desktop' },
    mac: { target: ['dmg'], category: 'public.app-category.video', darkModeSupport: true },
    win: { target: ['nsis'] },
    nsis: { oneClick: false, perMachine: false, allowToChangeInstallationDirectory: true },
  }
}

/** Packs for the machine this runs on. `unpacked`: a folder only, no installer. Downloads Electron unless it is given. */
export function makeDesktop(
  staged: Staged,
  work: string,
  {
    out,
    electronDist,
    unpacked,
  }: { readonly out: string; readonly electronDist: string | null; readonly unpacked: boolean },
): void {
  installBuilder()
  const shell = join(work, 'shell')
  const file = join(work, 'electron-builder.json')
  mkdirSync(shell)
  stageShell(shell, staged.version)
  const { version } = JSON.parse(
    readFileSync(join(ROOT, 'node_modules', 'electron', 'package.json'), 'utf8'),
  ) as {
    version: string
  }
  const order = { appliance: staged.folder, out, electronVersion: version, electronDist }
  writeFileSync(file, JSON.stringify(builderConfiguration(staged.target, order), null, 2))
  const system = { linux: '--linux', darwin: '--mac', win32: '--win' }[staged.target.os]
  const program = join(BUILDER, 'node_modules', 'electron-builder', 'cli.js')
  const words = [
    '--projectDir',
    shell,
    '--config',
    file,
    system,
    ...(unpacked ? ['dir'] : []),
    `--${staged.target.cpu}`,
  ]
  execFileSync(process.execPath, [program, ...words, '--publish', 'never'], { stdio: ['ignore', 2, 2] })
}

/** electron-builder is 280 packages that nothing else needs: it comes with the first desktop package, by its own lock. */
function installBuilder(): void {
  if (existsSync(join(BUILDER, 'node_modules', 'electron-builder', 'cli.js'))) return
  process.stderr.write('Installing electron-builder (once)...\n')
  const npm = process.env['npm_execpath']
  const [program, first] = npm === undefined ? ['npm', []] : [process.execPath, [npm]]
  execFileSync(program, [...first, 'ci', '--ignore-scripts'], { cwd: BUILDER, stdio: ['ignore', 2, 2] })
}
