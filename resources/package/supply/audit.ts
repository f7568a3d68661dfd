/**
 * `npm run audit`: known weaknesses of what is shipped, as the package registry reports them. Fails for high and critical
 * ones, but for those that allowed-weaknesses.json lets through until a day. Where the registry does not answer nothing
 * is known, which fails too, unless it is told `--allow-unreachable`: then it is only reported.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { shippedPaths } from './shipped.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
/** Nothing is known then of what is shipped: for machines without a registry, told by whoever runs it. */
const ALLOW_UNREACHABLE = '--allow-unreachable'
const ALLOWED = join(import.meta.dirname, 'allowed-weaknesses.json')

function requestAudit(): AuditAnswer {
  try {
    // Development packages too: some of them are built into the studio's pages, which are shipped.
    const args = ['audit', '--json', '--package-lock-only']
    const options = {
      cwd: ROOT,
      encoding: 'utf8',
      timeout: 120_000,
      maxBuffer: 2 ** 26,
      stdio: 'pipe',
    } as const
    return readAnswer(execFileSync('npm', args, options), '')
  } catch (error) {
    // npm exits with 1 when it reports something.
    const {
      stdout = '',
      stderr = '',
      code = '',
    } = error as { stdout?: string; stderr?: string; code?: string }
    return readAnswer(stdout, `${stderr}\n${code}`)
  }
}

function reportVerdict({ ok, known, refused, notes }: Verdict): void {
  for (const level of LEVELS) {
    const own = known.filter((one) => one.level === level)
    process.stdout.write(`${level}: ${own.length}\n`)
    for (const { package: name, range, advisory, title } of own)
      process.stdout.write(`  ${name} ${range}: ${advisory} ${title}\n`)
  }
  for (const note of notes) process.stdout.write(`${note}\n`)
  for (const why of refused) process.stderr.write(`NOT ALLOWED: ${why}\n`)
  if (!ok)
    process.stderr.write(
      'Take a version without it, or write down in resources/package/supply/allowed-weaknesses.json why it does no harm.\n',
    )
  process.exitCode = ok ? 0 : 1
}

const LEVELS = ['critical', 'high', 'moderate', 'low', 'info'] as const
type Level = (typeof LEVELS)[number]

/** Weaknesses that are not shipped unless allowed-weaknesses.json says why they may be. */
const GRAVE: ReadonlySet<string> = new Set<Level>(['critical', 'high'])

interface Advisory {
  readonly source?: number | string
  readonly url?: string
  readonly title?: string
  readonly severity?: string
  readonly range?: string
}

/** The report of `npm audit --json` (version 2), as far as it is used. */
export interface AuditReport {
  readonly vulnerabilities: Readonly<
    Record<
      string,
      {
        readonly severity: string
        readonly range?: string
        /** Advisories of the package itself, and names of packages that it has its weakness from. */
        readonly via: readonly (string | Advisory)[]
        /** Where it lies: paths of package-lock.json. */
        readonly nodes?: readonly string[]
      }
    >
  >
}

/** A weakness that a person has looked at: allowed-weaknesses.json. */
export interface AllowedWeakness {
  /** Its id: `GHSA-xxxx-xxxx-xxxx`. */
  readonly advisory: string
  readonly package: string
  /** Why it does no harm here, or what is waited for. */
  readonly reason: string
  /** The last day on which it is let through, YYYY-MM-DD. */
  readonly until: string
}

interface Weakness {
  readonly advisory: string
  readonly package: string
  readonly level: Level
  readonly title: string
  readonly range: string
}

/** The outcome of `npm audit`: a report, or why there is none. `broken`: it did not get as far as asking. */
type AuditAnswer =
  | { readonly kind: 'report'; readonly report: AuditReport }
  | { readonly kind: 'unreachable' | 'broken'; readonly why: string }

interface Verdict {
  readonly ok: boolean
  /** All that is known of what is shipped, the gravest first. */
  readonly known: readonly Weakness[]
  /** Grave ones that nobody allows, or not any more: sentences. */
  readonly refused: readonly string[]
  /** What is let through, and entries that nothing needs any more: sentences. */
  readonly notes: readonly string[]
}

/** Faults on the way to a registry, as Node and npm name them, and npm's sentences for all others. */
const FAULTS =
  /\b(?:ENOTFOUND|ECONN\w+|E\w*TIMEDOUT|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EPIPE|ENOTCACHED|ERR_SOCKET_\w+|\w*CERT\w*)\b/
const NO_ANSWER = /request to \S+ failed|network timeout|Invalid response body/i

/** Reads what npm has written. Only a status or a code is repeated, because the rest may name the registry. */
export function readAnswer(stdout: string, stderr: string): AuditAnswer {
  const output = parsed(stdout)
  if (typeof output['vulnerabilities'] === 'object' && output['vulnerabilities'] !== null)
    return { kind: 'report', report: output as unknown as AuditReport }
  const { message, error } = output as { message?: unknown; error?: { code?: unknown; summary?: unknown } }
  const words = [message, error?.code, error?.summary, stderr]
    .filter((one) => typeof one === 'string')
    .join('\n')
  const status =
    typeof output['statusCode'] === 'number' ? output['statusCode'] : /\b([45]\d\d) [A-Z]/.exec(words)?.[1]
  if (status !== undefined) return { kind: 'unreachable', why: `HTTP ${status}` }
  const code = FAULTS.exec(words)?.[0]
  if (code !== undefined || NO_ANSWER.test(words)) return { kind: 'unreachable', why: code ?? 'no answer' }
  return { kind: 'broken', why: /\bE[A-Z]{4,}\b/.exec(words)?.[0] ?? 'it gave no report' }
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    // The reason is in stderr.
    return {}
  }
}

/** The list of those that are let through. Throws an Error that names the first entry that is not whole. */
export function readAllowed(text: string): AllowedWeakness[] {
  const list: unknown = JSON.parse(text)
  if (!Array.isArray(list)) throw new Error('the list of allowed weaknesses is a JSON array')
  return list.map((entry: unknown, index) => {
    const one = entry as Partial<Record<keyof AllowedWeakness, unknown>> | null
    for (const field of ['advisory', 'package', 'reason', 'until'] as const)
      if (typeof one?.[field] !== 'string' || one[field].trim() === '')
        throw new Error(`entry ${index + 1} of the allowed weaknesses has no ${field}`)
    const { until } = one as AllowedWeakness
    if (!/^\d{4}-\d\d-\d\d$/.test(until) || Number.isNaN(Date.parse(until)))
      throw new Error(`entry ${index + 1} of the allowed weaknesses: until is a day, YYYY-MM-DD`)
    return one as AllowedWeakness
  })
}

/**
 * What is known of what is shipped, and whether it may be shipped. `shipped`: paths of package-lock.json; `today`:
 * YYYY-MM-DD.
 */
export function judge(
  report: AuditReport,
  allowed: readonly AllowedWeakness[],
  { shipped, today }: { readonly shipped: ReadonlySet<string>; readonly today: string },
): Verdict {
  const known = weaknesses(report, shipped)
  const entryOf = (one: Weakness) =>
    allowed.find((entry) => entry.advisory === one.advisory && entry.package === one.package)
  const refused: string[] = []
  const notes: string[] = []
  for (const one of known.filter(({ level }) => GRAVE.has(level))) {
    const entry = entryOf(one)
    const what = `${one.package} ${one.range}: ${one.advisory} (${one.level})`
    if (entry === undefined) refused.push(`${what} ${one.title}`)
    else if (entry.until < today)
      refused.push(`${what} was let through until ${entry.until}: ${entry.reason}`)
    else notes.push(`${what} is let through until ${entry.until}: ${entry.reason}`)
  }
  for (const entry of allowed)
    if (!known.some((one) => entryOf(one) === entry))
      notes.push(`${entry.advisory} of ${entry.package} is no weakness of ours any more: take its entry out.`)
  return { ok: refused.length === 0, known, refused, notes }
}

function weaknesses({ vulnerabilities }: AuditReport, shipped: ReadonlySet<string>): Weakness[] {
  const found = new Map<string, Weakness>()
  for (const [name, { severity, range, via, nodes = [] }] of Object.entries(vulnerabilities)) {
    // Without paths it may concern what is shipped.
    if (nodes.length > 0 && !nodes.some((path) => shipped.has(path))) continue
    const own = via.filter((one) => typeof one !== 'string')
    // Weaknesses inherited from another package are reported with that package; where none is, only the name is known.
    const unreported =
      own.length === 0 && !via.some((one) => typeof one === 'string' && one in vulnerabilities)
    for (const advisory of unreported ? [{}] : own) {
      const one = weaknessOf(name, advisory, { severity, range: range ?? '*' })
      found.set(`${one.advisory} ${one.package}`, one)
    }
  }
  return [...found.values()].sort(
    (a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level) || (a.package < b.package ? -1 : 1),
  )
}

function weaknessOf(
  name: string,
  { url = '', source, title, severity, range }: Advisory,
  of: { readonly severity: string; readonly range: string },
): Weakness {
  const level = severity ?? of.severity
  return {
    advisory: /GHSA(?:-\w{4}){3}/.exec(url)?.[0] ?? (source === undefined ? 'no advisory' : String(source)),
    package: name,
    // An unknown level counts as the worst.
    level: LEVELS.find((one) => one === level) ?? 'critical',
    title: title ?? '',
    range: range ?? of.range,
  }
}

if (process.argv[1] === import.meta.filename) {
  const answer = requestAudit()
  if (answer.kind === 'report') {
    const today = new Date().toISOString().slice(0, 10)
    reportVerdict(
      judge(answer.report, readAllowed(readFileSync(ALLOWED, 'utf8')), {
        shipped: shippedPaths(ROOT),
        today,
      }),
    )
  } else if (answer.kind === 'unreachable') {
    const allowed = process.argv.includes(ALLOW_UNREACHABLE)
    const frame = '!'.repeat(72)
    const hint = allowed ? '' : `, or allow this: npm run audit -- ${ALLOW_UNREACHABLE}`
    process.stderr.write(
      `${frame}\nWEAKNESSES ARE NOT KNOWN: the registry does not tell of any here (${answer.why}).\nNothing was checked. Run npm run audit where a registry answers${hint}.\n${frame}\n`,
    )
    process.exitCode = allowed ? 0 : 1
  } else {
    process.stderr.write(`npm audit went wrong (${answer.why}): mend package-lock.json or npm.\n`)
    process.exitCode = 1
  }

  /** What is made of `npm audit`: which known weaknesses of what is shipped nobody has looked at. No I/O, no clock. */
}
