import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeNotices } from './notices.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const notices = makeNotices(ROOT, { version: '9.8.7', contact: 'sources@studio.example' })
const textOf = (name: string): string => notices.get(name) ?? ''

interface Bill {
  readonly metadata: { readonly component: { readonly version: string } }
  readonly components: readonly { readonly type: string; readonly name: string; readonly version?: string }[]
  readonly dependencies: readonly { readonly ref: string }[]
}

describe('what a package says of what is in it', () => {
  const bill = JSON.parse(textOf('cutroom.cdx.json')) as Bill
  const libraries = bill.components.filter(({ type }) => type === 'library')

  test('lists what is in it, and nothing for other systems or for the window', () => {
    expect(bill.metadata.component.version).toBe('9.8.7')
    const names = libraries.map(({ name }) => name)
    for (const name of ['better-sqlite3', 'svelte', `@ffmpeg-installer/${process.platform}-${process.arch}`])
      expect(names).toContain(name)
    for (const name of ['electron', '@ffmpeg-installer/win32-x64', 'onnxruntime-web', 'vitest'])
      expect(names).not.toContain(name)
    expect(bill.dependencies).toHaveLength(libraries.length)
  })

  test('has the text of the licence of each', () => {
    const texts = textOf('THIRD-PARTY-LICENCES.txt')
    const lines = new Set(texts.split('\n').map((line) => line.replace(/ \(.*\)$/, '')))
    expect(libraries.filter(({ name, version }) => !lines.has(`${name} ${version ?? ''}`))).toEqual([])
    for (const part of readdirSync(join(import.meta.dirname, 'licences')))
      expect(texts).toContain(readFileSync(join(import.meta.dirname, 'licences', part), 'utf8').trim())
  })

  test('offers the source of the very builds of ffmpeg and ffprobe', () => {
    const offer = textOf('SOURCE-OFFER.txt')
    expect(offer).toMatch(/^ffmpeg version \S+/m)
    expect(offer).toMatch(/^ffprobe version \S+/m)
    expect(offer.match(/^configuration: .*--enable-gpl/gm)).toHaveLength(2)
    expect(offer).toContain('Ask: sources@studio.example.')
    const unsaid = makeNotices(ROOT, { version: '1', contact: null }).get('SOURCE-OFFER.txt')
    expect(unsaid).toContain('Ask: whoever gave you this package')
  })
})
