/**
 * `npm run audit`: known weaknesses of what is shipped, as the package registry tells them. Fails for high and critical
 * ones, but for those that allowed-weaknesses.json lets through until a day. Where the registry does not answer nothing
 * is known, which is said and is no failure: CI may have none.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { shippedPaths } from './shipped.ts'
import { judge, LEVELS, readAllowed, readAnswer, type AuditAnswer, type Verdict } from './weaknesses.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const ALLOWED = join(import.meta.dirname, 'allowed-weaknesses.json')

function ask(): AuditAnswer {
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
    // npm ends with 1 when there is something to tell.
    const {
      stdout = '',
      stderr = '',
      code = '',
    } = error as { stdout?: string; stderr?: string; code?: string }
    return readAnswer(stdout, `${stderr}\n${code}`)
  }
}

function tell({ ok, known, refused, notes }: Verdict): void {
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

const answer = ask()
if (answer.kind === 'told') {
  const today = new Date().toISOString().slice(0, 10)
  tell(
    judge(answer.report, readAllowed(readFileSync(ALLOWED, 'utf8')), { shipped: shippedPaths(ROOT), today }),
  )
} else if (answer.kind === 'unreachable') {
  const frame = '!'.repeat(72)
  process.stderr.write(
    `${frame}\nWEAKNESSES ARE NOT KNOWN: the registry does not tell of any here (${answer.why}).\nNothing was checked. Run npm run audit where a registry answers.\n${frame}\n`,
  )
} else {
  process.stderr.write(`npm audit went wrong (${answer.why}): mend package-lock.json or npm.\n`)
  process.exitCode = 1
}
