/** Whether a desktop window can be opened here. */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export type Desktop = { readonly program: string } | { readonly missing: string }

interface Surroundings {
  readonly platform: NodeJS.Platform
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Folder of the electron package; null when it is not installed. */
  readonly electronFolder: string | null
}

/**
 * The path of the Electron binary, or a clause that says what is missing. Never imports `electron`, which would
 * download it.
 */
export function desktopProgram(surroundings: Surroundings = thisMachine()): Desktop {
  const { platform, environment, electronFolder } = surroundings
  if (electronFolder === null) return { missing: 'Electron is not installed' }
  const nameFile = join(electronFolder, 'path.txt')
  const override = environment['ELECTRON_OVERRIDE_DIST_PATH']
  const dist = override ?? join(electronFolder, 'dist')
  const name = existsSync(nameFile) ? readFileSync(nameFile, 'utf8').trim() : 'electron'
  const program = join(dist, name)
  if (!existsSync(program)) return { missing: 'there is no Electron binary' }
  if (platform === 'linux' && !environment['DISPLAY'] && !environment['WAYLAND_DISPLAY']) {
    return { missing: 'there is no display (DISPLAY and WAYLAND_DISPLAY are empty)' }
  }
  return { program }
}

function thisMachine(): Surroundings {
  const { platform, env: environment } = process
  try {
    const manifest = createRequire(import.meta.url).resolve('electron/package.json')
    return { platform, environment, electronFolder: dirname(manifest) }
  } catch {
    return { platform, environment, electronFolder: null } // an installation without the desktop parts
  }
}
