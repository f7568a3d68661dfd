import { expect, it } from 'vitest'
import type { AuditRow } from '../../server/contract/audit.ts'
import { EVENT_PATTERNS } from '../../server/contract/events.ts'
import { actorText, eventGroups, outcomeText, sizeText, requestedEvents } from './words.ts'

it.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1000, '1.0 KB'],
  [1_449_000, '1.4 MB'],
  [250_000_000, '250 MB'],
  [3.2e12, '3.2 TB'],
  [5e18, '5000000 TB'],
])('%d bytes are %s', (bytes, text) => expect(sizeText(bytes)).toBe(text))

it('tells who did what in words', () => {
  const row = (changes: Partial<AuditRow>): AuditRow => ({
    id: 1,
    at: '',
    companyId: null,
    method: 'POST',
    route: '/x',
    resourceId: null,
    status: 200,
    requestId: '',
    actor: { kind: 'person', id: 'p', name: 'Ada' },
    ...changes,
  })
  expect(actorText(row({}))).toBe('Ada')
  expect(actorText(row({ actor: { kind: 'client', id: 'planner', name: 'bo' } }))).toBe(
    'Client planner for bo',
  )
  expect(actorText(row({ actor: { kind: 'nobody', id: '10.0.0.9', name: null } }))).toBe('Unknown 10.0.0.9')
  const outcomes = [200, 303, 403, 499, 500].map((status) => outcomeText(row({ status })))
  expect(outcomes).toEqual(['Done', 'Done', 'Refused (403)', 'Caller disconnected', 'Failed (500)'])
  expect([0, 1].map((status) => outcomeText(row({ method: 'CLI', status })))).toEqual(['Done', 'Failed'])
})

it('puts events together, and asks for single ones only where not for all of their group', () => {
  const groups = eventGroups(EVENT_PATTERNS)
  expect(groups.map(({ label }) => label)).toEqual([
    'Runs',
    'Renders',
    'Clips',
    'Picks',
    'Posts',
    'Shares',
    'Confirmations',
  ])
  expect(groups.flatMap(({ all, events }) => [all, ...events]).toSorted()).toEqual(
    EVENT_PATTERNS.filter((pattern) => pattern !== '*').toSorted(),
  )
  expect(requestedEvents(groups, ['run.failed', 'post.*', 'post.failed'])).toEqual(['run.failed', 'post.*'])
})
