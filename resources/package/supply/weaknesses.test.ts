import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shippedPaths } from './shipped.ts'
import { judge, readAllowed, readAnswer, type AllowedWeakness, type AuditReport } from './audit.ts'

const ID = 'GHSA-aaaa-bbbb-cccc'
const advisory = (severity: string, id = ID) => ({
  source: 1,
  url: `https://advisories.test/${id}`,
  title: 'It may be stopped',
  severity,
  range: '<2',
})
const report = (vulnerabilities: AuditReport['vulnerabilities']): AuditReport => ({ vulnerabilities })
const weak = (severity: string, nodes = ['node_modules/parser']) =>
  report({ parser: { severity, range: '<2', via: [advisory(severity)], nodes } })

const shipped = new Set(['node_modules/parser', 'node_modules/server/node_modules/parser'])
const on = (today: string) => ({ shipped, today })
const entry: AllowedWeakness = {
  advisory: ID,
  package: 'parser',
  reason: 'It reads our own files only.',
  until: '2026-12-31',
}

describe('what is shipped', () => {
  it.each([
    ['critical', false],
    ['high', false],
    ['moderate', true],
    ['low', true],
    ['a level of the future', false],
  ])('with a weakness that is %s may leave the house: %s', (severity, ok) => {
    const verdict = judge(weak(severity), [], on('2026-11-21'))
    expect(verdict.ok).toBe(ok)
    expect(verdict.known).toHaveLength(1)
    expect(verdict.refused.map((why) => why.includes(ID))).toEqual(ok ? [] : [true])
  })

  it('may, where nothing is known of it', () => {
    expect(judge(report({}), [], on('2026-11-21'))).toEqual({ ok: true, known: [], refused: [], notes: [] })
  })

  it.each([
    ['only where it is not shipped', ['node_modules/vitest/node_modules/parser'], true],
    [
      'in one of two places',
      ['node_modules/x/node_modules/parser', 'node_modules/server/node_modules/parser'],
      false,
    ],
    ['nobody knows where', [], false],
  ])('is looked at, and not what else is installed: %s', (_, nodes, ok) => {
    expect(judge(weak('high', nodes), [], on('2026-11-21')).ok).toBe(ok)
  })

  it('names a weakness once, with the package that has it and not with those above', () => {
    const above = { severity: 'high', via: ['parser'], nodes: ['node_modules/parser'] }
    const { known, refused } = judge(
      report({ ...weak('high').vulnerabilities, server: above, client: above }),
      [],
      on('2026-11-21'),
    )
    expect(known.map((one) => one.package)).toEqual(['parser'])
    expect(refused).toHaveLength(1)
  })

  it('is not let through where nobody says why it is weak', () => {
    const untold = { severity: 'high', via: ['gone'], nodes: ['node_modules/parser'] }
    expect(judge(report({ parser: untold }), [], on('2026-11-21')).refused).toEqual([
      'parser *: no advisory (high) ',
    ])
  })

  it('tells the gravest first', () => {
    const via = [advisory('low', 'GHSA-1111-1111-1111'), advisory('critical', 'GHSA-2222-2222-2222')]
    const { known } = judge(
      report({ parser: { severity: 'critical', via, nodes: ['node_modules/parser'] } }),
      [],
      on('2026-11-21'),
    )
    expect(known.map(({ level }) => level)).toEqual(['critical', 'low'])
  })
})

describe('a weakness that was looked at', () => {
  it.each([
    ['2026-11-21', true],
    ['2026-12-31', true],
    ['2027-01-01', false],
  ])('on %s is let through: %s', (today, ok) => {
    const verdict = judge(weak('critical'), [entry], on(today))
    expect(verdict.ok).toBe(ok)
    expect([...verdict.refused, ...verdict.notes]).toHaveLength(1)
    expect([...verdict.refused, ...verdict.notes][0]).toContain('until 2026-12-31: It reads our own')
  })

  it.each([
    ['another advisory', { advisory: 'GHSA-zzzz-zzzz-zzzz' }],
    ['another package', { package: 'printer' }],
  ])('lets nothing else through: %s', (_, other) => {
    const verdict = judge(weak('high'), [{ ...entry, ...other }], on('2026-11-21'))
    expect(verdict.ok).toBe(false)
    expect(verdict.notes.join()).toContain('take its entry out')
  })

  it('of the past is told, and is no failure', () => {
    const verdict = judge(report({}), [entry], on('2026-11-21'))
    expect([verdict.ok, verdict.notes.length]).toEqual([true, 1])
  })
})

describe('the list of them', () => {
  it('is whole as it stands', () => {
    const text = readFileSync(join(import.meta.dirname, 'allowed-weaknesses.json'), 'utf8')
    expect(Array.isArray(readAllowed(text))).toBe(true)
  })

  it.each([
    ['{}', 'array'],
    [JSON.stringify([null]), 'entry 1'],
    [JSON.stringify([entry, { ...entry, reason: ' ' }]), 'entry 2 of the allowed weaknesses has no reason'],
    [JSON.stringify([{ ...entry, until: undefined }]), 'no until'],
    [JSON.stringify([{ ...entry, until: 'next year' }]), 'YYYY-MM-DD'],
    [JSON.stringify([{ ...entry, until: '2026-13-01' }]), 'YYYY-MM-DD'],
  ])('is refused: %s', (text, why) => {
    expect(() => readAllowed(text)).toThrow(why)
  })
})

describe('what npm says', () => {
  const refusedBy = { message: '405 Method Not Allowed - POST https://registry.test/bulk', statusCode: 405 }
  it.each([
    ['a report', JSON.stringify({ ...weak('low'), auditReportVersion: 2 }), '', 'report', ''],
    ['a registry without it', JSON.stringify(refusedBy), '', 'unreachable', 'HTTP 405'],
    ['a status in words', '', 'npm warn audit 503 Service Unavailable - POST', 'unreachable', 'HTTP 503'],
    ['nobody there', '{"message":"connect ECONNREFUSED 127.0.0.1:9"}', '', 'unreachable', 'ECONNREFUSED'],
    [
      'a stranger',
      '{"message":"request to https://registry.test/ failed, reason: odd"}',
      '',
      'unreachable',
      'no answer',
    ],
    ['nothing in time', '', 'spawnSync npm ETIMEDOUT', 'unreachable', 'ETIMEDOUT'],
    ['no lock', '{"error":{"code":"ENOLOCK","summary":"This needs a lockfile."}}', '', 'broken', 'ENOLOCK'],
    ['no npm', '', 'ENOENT', 'broken', 'ENOENT'],
    ['nothing at all', '', '', 'broken', 'it gave no report'],
    ['no JSON', 'oops', '', 'broken', 'it gave no report'],
  ])('%s', (_, stdout, stderr, kind, why) => {
    const answer = readAnswer(stdout, stderr)
    expect([answer.kind, answer.kind === 'report' ? '' : answer.why]).toEqual([kind, why])
  })
})

describe.skipIf(process.platform === 'win32')('the command', () => {
  let folder = ''
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'cutroom-audit-'))))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** With a stand-in for npm that answers this, and ends as npm does for it. */
  const audit = (answer: object, words: readonly string[] = []) => {
    const script = `#!/bin/sh\ncat <<'EOF'\n${JSON.stringify(answer)}\nEOF\nexit 1\n`
    writeFileSync(join(folder, 'npm'), script, { mode: 0o755 })
    const PATH = `${folder}${delimiter}${process.env['PATH'] ?? ''}`
    const program = join(import.meta.dirname, 'audit.ts')
    return spawnSync(process.execPath, [program, ...words], {
      env: { ...process.env, PATH },
      encoding: 'utf8',
    })
  }

  it('fails where the registry could not be asked, unless that is allowed', () => {
    const away = { message: '405 Method Not Allowed', statusCode: 405 }
    const refused = audit(away)
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('NOT KNOWN')])
    expect(refused.stderr).toContain('npm run audit -- --allow-unreachable')
    const allowed = audit(away, ['--allow-unreachable'])
    expect([allowed.status, allowed.stderr]).toEqual([0, expect.stringContaining('HTTP 405')])
  })

  it('takes a report as it is, whatever is allowed', () => {
    const bad = weak('critical', ['node_modules/undici'])
    expect(audit(report({})).status).toBe(0)
    for (const words of [[], ['--allow-unreachable']]) {
      const { status, stderr } = audit(bad, words)
      expect([status, stderr]).toEqual([1, expect.stringContaining(`NOT ALLOWED: parser <2: ${ID}`)])
    }
    expect(audit({ error: { code: 'ENOLOCK' } }, ['--allow-unreachable']).status).toBe(1)
  })
})

it('looks at what runs and what is built into the studio, and not at what tests need', () => {
  const paths = shippedPaths(join(import.meta.dirname, '..', '..', '..'))
  for (const name of ['undici', 'svelte', 'electron']) expect(paths).toContain(`node_modules/${name}`)
  expect(paths).not.toContain('node_modules/vitest')
})
