/**
 * `npm run audit`: known weaknesses of what is shipped, as the package registry tells them. Fails for high and critical
 * ones. Where no registry answers nothing is known, which is said and is no failure: CI may have none.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const LEVELS = ['critical', 'high', 'moderate', 'low'] as const

interface Report {
  readonly error?: { readonly summary?: string; readonly code?: string }
  readonly message?: string
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string; readonly range: string }>>
}

function ask(): Report {
  try {
    const args = ['audit', '--omit=dev', '--json', '--package-lock-only']
    // npm is a script on Windows, which needs a shell to be started; there it is asked by hand.
    return JSON.parse(
      execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', timeout: 120_000, stdio: 'pipe' }),
    ) as Report
  } catch (error) {
    // npm ends with 1 when there is something to tell.
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    return stdout.trim() === '' ? { message: stderr } : (JSON.parse(stdout) as Report)
  }
}

const report = ask()
if (report.vulnerabilities === undefined) {
  const said = [report.message, report.error?.summary, report.error?.code].join('\n')
  // Status or system code: what else npm prints may name the registry.
  const why = /\b[45]\d\d [A-Z][\w ]+|\bE[A-Z]{4,}\b/.exec(said)?.[0] ?? 'no answer'
  process.stdout.write(`No registry tells of weaknesses here (${why}): nothing is known of them.\n`)
} else {
  const found = Object.entries(report.vulnerabilities)
  for (const level of LEVELS) {
    const own = found.filter(([, { severity }]) => severity === level)
    process.stdout.write(`${level}: ${own.length}\n`)
    for (const [name, { range }] of own) process.stdout.write(`  ${name} ${range}\n`)
  }
  process.exitCode = found.some(([, { severity }]) => severity === 'critical' || severity === 'high') ? 1 : 0
}
