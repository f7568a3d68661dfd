/**
 * A network namespace that has the loopback and no route to anywhere: what turns to another machine fails there, and the
 * kernel counts it, datagrams to name servers included. Linux, where making namespaces is allowed.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface NetworkNamespace {
  /** What a command line begins with to be run inside. */
  readonly prefix: readonly string[]
  /** Connections and datagrams of the last command that found no route. */
  attempts(): number
}

/** Why there is none. */
export interface NoNamespace {
  readonly why: string
}

const SCRIPT = `#!/bin/sh
# Brings the loopback up, runs the command, leaves what the kernel counted.
ip link set lo up || exit 97
"$@"
code=$?
cat /proc/net/snmp /proc/net/snmp6 > "$0.counts"
exit $code
`

/** Creates a network namespace whose script and counts are in this folder. */
export function createNetworkNamespace(folder: string): NetworkNamespace | NoNamespace {
  if (process.platform !== 'linux') return { why: 'network namespaces are Linux only' }
  const script = join(folder, 'sealed.sh')
  writeFileSync(script, SCRIPT, { mode: 0o755 })
  const prefix = ['unshare', process.getuid?.() === 0 ? '-n' : '-rn', '/bin/sh', script]
  const tried = spawnSync(prefix[0] ?? '', [...prefix.slice(1), 'true'], { encoding: 'utf8' })
  if (tried.status !== 0) {
    const said = tried.error?.message ?? tried.stderr.trim()
    return { why: `no network namespace can be made here: ${said}` }
  }
  return { prefix, attempts: () => countOf(`${script}.counts`) }
}

function countOf(file: string): number {
  if (!existsSync(file)) throw new Error('nothing has been run in the network namespace')
  const text = readFileSync(file, 'utf8')
  const [names, values] = text
    .split('\n')
    .filter((line) => line.startsWith('Ip: '))
    .map((line) => line.split(' '))
  const four = Number(values?.[names?.indexOf('OutNoRoutes') ?? -1])
  const six = Number(/^Ip6OutNoRoutes\s+(\d+)/m.exec(text)?.[1] ?? 0)
  if (!Number.isInteger(four)) throw new Error(`no OutNoRoutes in ${text.slice(0, 200)}`)
  return four + six
}

/** Runs a command inside; what it printed. Throws when it fails. */
export function runSealed(
  room: NetworkNamespace,
  command: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): string {
  const whole = [...room.prefix, ...command]
  const program = whole[0] ?? ''
  const rest = whole.slice(1)
  return execFileSync(program, rest, {
    encoding: 'utf8',
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 110_000,
  })
}
