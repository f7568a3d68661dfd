import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..')
/** A recording goes on for as long as its stream; the recorder watches it, and `streamMaxSeconds` ends it. */
const WATCHED = ['workers/stages/record/pull.ts']

/** The text of each call, to the bracket that closes it. */
function callsIn(text: string): string[] {
  return [...text.matchAll(/\brun(?:Tool|Ffmpeg)\(/g)].map(({ index }) => {
    let depth = 0
    for (let at = index; at < text.length; at += 1) {
      if (text[at] === '(') depth += 1
      if (text[at] === ')' && (depth -= 1) === 0) return text.slice(index, at + 1)
    }
    return text.slice(index)
  })
}

test('no run of a tool may go on for ever: each one has a limit of time or of silence', () => {
  const files = ['workers', 'server'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.endsWith('/run-tool.ts')),
  )
  const calls = files.flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8')
    // Options that several calls share stand in front of them.
    const shared = /const common = \{[^}]*\b(?:stall|timeout)Seconds/.test(text)
    return callsIn(text).map((call) => ({ file, limited: shared || /\b(?:stall|timeout)Seconds/.test(call) }))
  })
  expect(calls.length).toBeGreaterThan(20)
  const endless = calls.filter(({ limited }) => !limited).map(({ file }) => file)
  expect(endless).toEqual(WATCHED)
})
