import { describe, expect, test } from 'vitest'
import { defineCommand } from './command.ts'
import { parseWords } from './parse.ts'
import { COMMAND_NAMES, COMMANDS, findCommand } from './registry.ts'

const command = defineCommand({
  summary: 'Test',
  positionals: ['FILE', '[MORE...]'],
  options: {
    company: { type: 'string', required: true, value: 'ID', description: '' },
    feature: { type: 'string', multiple: true, description: '' },
    wait: { type: 'boolean', description: '' },
    out: { type: 'string', description: '' },
  },
  examples: {},
  run: () => Promise.resolve(0),
})

describe('parseWords', () => {
  test('fills every option', () => {
    const parsed = parseWords(command, [
      'a.mp4',
      '--company',
      'acme',
      '--feature',
      'x',
      '--feature=y',
      '--home',
      '/h',
    ])
    expect(parsed).toEqual({
      help: false,
      positionals: ['a.mp4'],
      options: {
        company: 'acme',
        feature: ['x', 'y'],
        wait: false,
        out: undefined,
        home: '/h',
        json: false,
        help: false,
      },
    })
  })

  test.each([
    [['a.mp4'], '--company is needed.'],
    [['--company', 'a'], 'FILE is needed.'],
    [['a', '--company', 'a', '--colour', 'red'], "Unknown option '--colour'."],
    [['a', '--company'], "Option '--company <value>' argument missing."],
    [['a', '--company', 'a', '--wait=yes'], "Option '--wait' does not take an argument."],
  ])('%j is refused: %s', (words, message) => {
    expect(() => parseWords(command, words)).toThrow(
      expect.objectContaining({ code: 'INVALID_USAGE', message }),
    )
  })

  test('one argument too many', () => {
    const none = { ...command, positionals: [] }
    expect(() => parseWords(none, ['x', '--company', 'a'])).toThrow('"x" is one argument too many.')
  })

  test('--help needs nothing else', () => {
    expect(parseWords(command, ['--help']).help).toBe(true)
    expect(parseWords(command, ['-h']).help).toBe(true)
  })
})

describe('registry', () => {
  test.each([
    [['serve', '--json'], 'serve', ['--json']],
    [['company', 'create', 'acme'], 'company create', ['acme']],
    [['company'], null, null],
    [['nothing'], null, null],
    [[], null, null],
  ])('%j', (words, name, rest) => {
    const found = findCommand(words)
    expect([found?.name ?? null, found?.rest ?? null]).toEqual([name, rest])
  })

  test('every command has a summary, and examples that call it', async () => {
    for (const name of COMMAND_NAMES) {
      const { summary, examples } = await COMMANDS[name]()
      expect(summary.length, name).toBeGreaterThan(10)
      const lines = Object.keys(examples)
      expect(lines.length, name).toBeGreaterThan(0)
      for (const line of lines) expect(line).toMatch(new RegExp(`^cutroom ${name}`))
    }
  })
})
