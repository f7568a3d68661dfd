import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { desktopProgram } from './serve.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cutroom-desktop-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function install(): void {
  mkdirSync(join(folder, 'dist'))
  writeFileSync(join(folder, 'dist', 'electron'), '')
  writeFileSync(join(folder, 'path.txt'), 'electron')
}

describe('desktopProgram', () => {
  test('says what is missing', () => {
    const linux = { platform: 'linux', environment: {} } as const
    expect(desktopProgram({ ...linux, electronFolder: null })).toEqual({
      missing: 'Electron is not installed',
    })
    expect(desktopProgram({ ...linux, electronFolder: folder })).toEqual({
      missing: 'there is no Electron binary',
    })
    install()
    expect(desktopProgram({ ...linux, electronFolder: folder })).toHaveProperty('missing')
  })

  test('opens where binary and display are', () => {
    install()
    const program = join(folder, 'dist', 'electron')
    const found = (platform: NodeJS.Platform, environment: Record<string, string>) =>
      desktopProgram({ platform, environment, electronFolder: folder })
    expect(found('linux', { DISPLAY: ':0' })).toEqual({ program })
    expect(found('linux', { WAYLAND_DISPLAY: 'wayland-0' })).toEqual({ program })
    expect(found('darwin', {})).toEqual({ program })
  })
})
