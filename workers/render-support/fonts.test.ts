import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createCanvas } from '@napi-rs/canvas'
import { describe, expect, it } from 'vitest'
import { CAPTION_PRESETS, TITLE_PRESETS } from '../../server/nodes/index.ts'
import { fontAlias, resolveFamily } from '../compositor/fonts.ts'
import { registerFonts } from './fonts.ts'

const RESOURCES = join(import.meta.dirname, '..', '..', 'resources')
const FOLDER = join(RESOURCES, 'fonts')

describe('bundled fonts', () => {
  it('are listed, each with its licence, and nothing else lies there', async () => {
    const table = await registerFonts(RESOURCES)
    const files = (await readdir(FOLDER)).filter((file) => /\.(ttf|otf|woff2)$/.test(file)).toSorted()
    expect(table.fonts.map((font) => font.file).toSorted()).toEqual(files)
    for (const part of table.parts) {
      const own = (await readdir(join(FOLDER, part.folder))).toSorted()
      expect(Object.keys(part.files).toSorted()).toEqual(own)
    }
    for (const font of [...table.fonts, ...table.parts])
      expect((await stat(join(FOLDER, font.licenceFile))).size).toBeGreaterThan(500)
  })

  it('stay under 16 MB', async () => {
    const sizes = await Promise.all(
      (await readdir(FOLDER, { recursive: true })).map(async (file) => (await stat(join(FOLDER, file))).size),
    )
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(16 * 1024 * 1024)
  })

  it('have every family and weight apart that the presets name', async () => {
    const table = await registerFonts(RESOURCES)
    for (const { id, face } of [...CAPTION_PRESETS, ...TITLE_PRESETS]) {
      expect([id, resolveFamily(table, face.fontFamily).known]).toEqual([id, true])
    }
    const context = createCanvas(10, 10).getContext('2d')
    const width = (weight: number): number => {
      context.font = `${weight} 100px "${fontAlias('Montserrat')}"`
      return context.measureText('Handgloves').width
    }
    expect(width(900)).toBeGreaterThan(width(700))
    expect(width(700)).toBeGreaterThan(width(500))
  })

  it('fall back by name, and take the first known of a list', async () => {
    const table = await registerFonts(RESOURCES)
    expect(resolveFamily(table, 'Papyrus')).toMatchObject({ known: false, family: 'Montserrat' })
    expect(resolveFamily(table, "Papyrus, 'poppins', sans-serif")).toMatchObject({
      known: true,
      family: 'Poppins',
    })
  })

  it('say what is wrong when the list is missing', async () => {
    await expect(registerFonts(join(RESOURCES, 'nowhere'))).rejects.toThrow()
  })
})
