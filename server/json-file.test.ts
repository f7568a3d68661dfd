import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readJsonFile } from './cli/commands/workflow.ts'
import { readConfigFile, parseJsonFile } from './config/settings.ts'

const value = { name: 'Übersicht' }
const marked = `\uFEFF${JSON.stringify(value)}`

describe('JSON files as Windows writes them', () => {
  test.each([
    ['plain', Buffer.from(JSON.stringify(value))],
    ['with a byte order mark', Buffer.from(marked)],
    ['in UTF-16', Buffer.from(marked, 'utf16le')],
  ])('%s', async (_, bytes) => {
    const folder = mkdtempSync(join(tmpdir(), 'cutroom-json-'))
    try {
      writeFileSync(join(folder, 'config.json'), bytes)
      expect(parseJsonFile(bytes)).toEqual(value)
      expect(readConfigFile(folder)).toEqual(value)
      expect(await readJsonFile(join(folder, 'config.json'))).toEqual(value)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
