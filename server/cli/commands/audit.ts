import type { AuditRow } from '../../contract/audit.ts'
import { readAudit } from '../../domain/people/audit.ts'
import { defineCommand, EXIT, optional } from '../command.ts'
import { parseMoment, parseSpan } from '../arguments.ts'
import { withServices } from '../open-home.ts'
import { table } from '../terminal.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'

const PAGE = 500
const USUAL = 100

/** `30d`: since 30 days ago; anything else a moment. */
function since(text: string, now: number): string {
  const back = /^\d{1,9}[smhdw]$/.test(text.trim())
  return new Date(
    back ? now - parseSpan('since', text) * 1000 : parseMoment('since', text, now),
  ).toISOString()
}

/** Prints the audit log. */
export const audit = defineCommand({
  summary: 'Show the audit log: what was changed, by whom, and what came of it',
  options: {
    since: optional('WHEN', 'a date, a date and time, or a span back such as 7d'),
    limit: optional('N', `rows, the newest first (${USUAL})`),
  },
  examples: {
    'cutroom audit --since 1d': 'The last day.',
    'cutroom audit --since 2027-01-01 --limit 100000 --json': 'One JSON object a line.',
  },
  run: async ({ options, terminal }) => {
    const limit = /^\d{1,9}$/.test(options.limit ?? '') ? Number(options.limit) : USUAL
    await withServices(options, (services) => {
      const from = options.since === undefined ? {} : { since: since(options.since, services.now()) }
      const rows: AuditRow[] = []
      for (let before: number | null | undefined; before !== null && rows.length < limit;) {
        const size = Math.min(PAGE, limit - rows.length)
        const page = readAudit(services, { ...from, limit: size, ...omitUndefined({ before }) })
        rows.push(...page.rows)
        before = page.next
      }
      if (options.json) for (const row of rows) terminal.out(JSON.stringify(row))
      else for (const line of table([HEAD, ...rows.map(cells)])) terminal.out(line)
    })
    return EXIT.done
  },
})

const HEAD = ['WHEN', 'WHO', 'COMPANY', 'WHAT', 'OF', 'CAME OUT AS']

const cells = ({ at, actor, companyId, method, route, resourceId, status }: AuditRow): string[] => [
  at,
  `${actor.kind} ${actor.name ?? actor.id}`,
  companyId ?? '-',
  `${method} ${route}`,
  resourceId ?? '-',
  String(status),
]
