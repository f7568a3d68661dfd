import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { controlFile, copyrightFile } from './debian.ts'

const part = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8')

test('the control file says what dpkg has to know', () => {
  const lines = controlFile('0.1.0', 'arm64', 400_000).split('\n')
  expect(lines).toContain('Package: cutroom')
  expect(lines).toContain('Architecture: arm64')
  expect(lines).toContain('Installed-Size: 400000')
  expect(lines.find((line) => line.startsWith('Depends: '))).toContain('libc6 (>= 2.28)')
  expect(lines.find((line) => line.startsWith('Recommends: '))).toContain('ffmpeg (>= 7:4.4)')
  // Every line is a field or goes on with a space; the file ends with a line's end.
  expect(lines.slice(0, -1).every((line) => /^([A-Z][A-Za-z-]+: .+| .+)$/.test(line))).toBe(true)
  expect(lines.at(-1)).toBe('')
})

test('every package inside is named with its licence', () => {
  const text = copyrightFile([{ name: '@a/b', version: '1.2.3', license: 'ISC' }])
  expect(text).toContain('\n @a/b 1.2.3: ISC\n')
})

test('the service may do little, and starts what the package installs', () => {
  const lines = part('debian/cutroom.service').split('\n')
  const has = [
    'User=cutroom',
    'StateDirectory=cutroom',
    'UMask=0077',
    'NoNewPrivileges=yes',
    'CapabilityBoundingSet=',
    'ProtectSystem=strict',
    'ProtectHome=yes',
    'PrivateTmp=yes',
    'PrivateDevices=yes',
    'RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK',
    'SystemCallFilter=@system-service',
    'ExecStart=/usr/lib/cutroom/bin/node /usr/lib/cutroom/server/cli/bin.mjs serve --json',
    'EnvironmentFile=-/etc/cutroom/cutroom.env',
  ]
  expect(has.filter((line) => !lines.includes(line))).toEqual([])
  // V8 makes machine code: with this set the program would not start.
  expect(lines.filter((line) => line.startsWith('MemoryDenyWriteExecute'))).toEqual([])
})

test('scripts are shell that parses, and stop at the first failure', () => {
  const scripts = [
    ...['preinst', 'postinst', 'prerm', 'postrm', 'service-command.sh'].map((name) => `debian/${name}`),
    'launcher.sh',
    'cutroom.sh',
    'install.sh',
  ]
  for (const script of scripts) {
    execFileSync('sh', ['-n', join(import.meta.dirname, script)])
    if (script !== 'cutroom.sh') expect(part(script), script).toMatch(/^set -eu?$/m)
  }
  expect(readdirSync(join(import.meta.dirname, 'debian'))).toContain('templates')
})

test('a purge deletes the home only when that was answered', () => {
  const text = part('debian/postrm')
  expect(part('debian/templates')).toMatch(/^Default: false$/m)
  expect(text.match(/rm -rf/g)).toHaveLength(1)
  expect(text.indexOf('if [ "$delete" = true ]')).toBeLessThan(text.indexOf('rm -rf'))
})

test('settings that are shipped change nothing', () => {
  const set = part('debian/cutroom.env')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  expect(set).toEqual([])
})

let root: string
beforeAll(() => void (root = mkdtempSync(join(tmpdir(), 'cutroom-scripts-'))))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Runs a script of the package on a pretended system: its folders below `root`, these programs instead of the real ones. */
function ran(
  script: string,
  words: readonly string[],
  programs: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string>> = {},
): string {
  const bin = join(root, 'bin')
  for (const folder of [bin, ...['run/systemd/system', 'etc/cutroom', 'usr/lib/cutroom/bin'].map(below)])
    mkdirSync(folder, { recursive: true })
  const home = below('var/lib/cutroom')
  if (script !== 'postrm') mkdirSync(home, { recursive: true })
  for (const [name, text] of Object.entries(programs))
    writeFileSync(name.includes('/') ? below(name) : join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  const text = part(`debian/${script}`).replaceAll(
    /\/(?=(run|etc|var|usr\/lib\/cutroom|usr\/share)\b)/g,
    `${root}/`,
  )
  const file = join(root, script)
  writeFileSync(file, text)
  const env = { PATH: `${bin}:/usr/bin:/bin`, ...environment }
  return execFileSync('sh', [file, ...words], { env, encoding: 'utf8' })
}
const below = (path: string): string => join(root, path)

/** Writes down what it is asked for; the service is in this state. */
const systemctlWhile = (state: string): string =>
  `echo "$*" >> ${below('asked')}; case $1 in show) echo ${state} ;; is-active) [ ${state} = active ] ;; esac`

test('a service that keeps failing is stopped for an upgrade, and goes on after it', () => {
  for (const state of ['active', 'activating', 'reloading', 'refreshing']) {
    const systemctl = systemctlWhile(state)
    ran('prerm', ['upgrade', '2'], { systemctl })
    expect(readFileSync(below('asked'), 'utf8').trim().split('\n').at(-1), state).toBe('stop cutroom.service')
    rmSync(below('asked'))
    ran('postinst', ['configure', '1'], { systemctl, getent: '' })
    expect(readFileSync(below('asked'), 'utf8'), state).toContain('start cutroom.service')
    rmSync(below('asked'))
  }
  // Nobody starts what an operator has stopped, or what was given up.
  for (const state of ['inactive', 'failed']) {
    const systemctl = systemctlWhile(state)
    ran('prerm', ['upgrade', '2'], { systemctl })
    ran('postinst', ['configure', '1'], { systemctl, getent: '' })
    expect(readFileSync(below('asked'), 'utf8'), state).not.toMatch(/^(stop|start) /m)
    rmSync(below('asked'))
  }
})

test('an upgrade that could not be unpacked starts the version that was running', () => {
  const systemctl = systemctlWhile('active')
  ran('prerm', ['upgrade', '2'], { systemctl })
  ran('postinst', ['abort-upgrade', '2'], { systemctl })
  expect(readFileSync(below('asked'), 'utf8').trim().split('\n').at(-1)).toBe('start cutroom.service')
  rmSync(below('asked'))
  ran('postinst', ['abort-upgrade', '2'], { systemctl })
  expect(existsSync(below('asked'))).toBe(false)
})

test('a removal that did not go on leaves the service as it was, and one that did leaves nothing behind', () => {
  const systemctl = systemctlWhile('active')
  ran('prerm', ['remove'], { systemctl })
  ran('postinst', ['abort-remove'], { systemctl })
  expect(readFileSync(below('asked'), 'utf8').trim().split('\n').slice(-2)).toEqual([
    'enable --quiet cutroom.service',
    'start cutroom.service',
  ])
  ran('prerm', ['remove'], { systemctl })
  ran('postrm', ['remove'], { systemctl })
  rmSync(below('asked'))
  ran('postinst', ['abort-upgrade', '2'], { systemctl })
  expect(existsSync(below('asked'))).toBe(false)
})

test('a purge ends well where the home is a mount, which cannot be removed itself', () => {
  mkdirSync(below('usr/share/debconf'), { recursive: true })
  const debconf = 'db_input() { :; }; db_go() { :; }; db_get() { RET=true; }; db_purge() { :; }'
  writeFileSync(below('usr/share/debconf/confmodule'), debconf)
  mkdirSync(below('var/lib/cutroom'), { recursive: true })
  const rm = 'echo busy >&2; exit 1'
  expect(() => ran('postrm', ['purge'], { rm, getent: 'exit 2' })).not.toThrow()
})

test('cutroom-service reads the settings as systemd does, a proxy among them', () => {
  const program = { 'usr/lib/cutroom/bin/cutroom': 'env' }
  const setpriv = 'while [ "$1" != env ]; do shift; done; exec "$@"'
  mkdirSync(below('etc/cutroom'), { recursive: true })
  const lines = [
    'CUTROOM_HOST=::1',
    '# CUTROOM_LOG=debug',
    'CUTROOM_PORT = 1',
    '  CUTROOM_HOST="0.0.0.0" ',
    "CUTROOM_LLM_KEY='a=b c'",
    String.raw`CUTROOM_LLM_MODEL=one\two\\three`,
    String.raw`CUTROOM_LLM_URL="say \"so\" \n \$1"`,
    String.raw`CUTROOM_TLS_KEY='as \it \\ is'`,
  ]
  const more = ['HTTPS_PROXY=http://proxy:3128', 'LD_PRELOAD=/tmp/x.so', 'CUTROOM_PUBLIC_URL=https://a/$(id)']
  writeFileSync(below('etc/cutroom/cutroom.env'), [...lines, ...more].join('\n'))
  const said = ran('service-command.sh', ['doctor'], { id: 'echo 0', setpriv, ...program }).split('\n')
  for (const line of ['CUTROOM_HOST=0.0.0.0', 'CUTROOM_LLM_KEY=a=b c', 'HTTPS_PROXY=http://proxy:3128'])
    expect(said).toContain(line)
  expect(said).toContain('CUTROOM_PORT=1')
  expect(said).toContain(String.raw`CUTROOM_LLM_MODEL=onetwo\three`)
  expect(said).toContain(String.raw`CUTROOM_LLM_URL=say "so" \n $1`)
  expect(said).toContain(String.raw`CUTROOM_TLS_KEY=as \it \\ is`)
  expect(said).toContain('CUTROOM_PUBLIC_URL=https://a/$(id)')
  expect(said.filter((line) => /LD_PRELOAD|CUTROOM_LOG/.test(line))).toEqual([])
})

test('cutroom-service says who asked for the command, and nothing else may say so', () => {
  const programs = {
    'usr/lib/cutroom/bin/cutroom': 'env',
    id: '[ "$1" = -un ] && echo root || echo 0',
    setpriv: 'while [ "$1" != env ]; do shift; done; exec "$@"',
  }
  mkdirSync(below('etc/cutroom'), { recursive: true })
  writeFileSync(below('etc/cutroom/cutroom.env'), 'CUTROOM_ASKED_BY=somebody\nCUTROOM_PORT=1\n')
  const said = (environment: Readonly<Record<string, string>>, logname: string): string | undefined =>
    ran('service-command.sh', ['doctor'], { ...programs, logname }, environment)
      .split('\n')
      .filter((line) => line.startsWith('CUTROOM_ASKED_BY='))
      .join()
  const given = { CUTROOM_ASKED_BY: 'me' }
  expect(said({ ...given, SUDO_USER: 'alice' }, 'echo bob')).toBe('CUTROOM_ASKED_BY=alice')
  expect(said(given, 'echo bob')).toBe('CUTROOM_ASKED_BY=bob')
  expect(said(given, 'exit 1')).toBe('CUTROOM_ASKED_BY=root')
  expect(said({ SUDO_USER: 'HOUSE\\al.i-ce' }, 'exit 1')).toBe('CUTROOM_ASKED_BY=HOUSE\\al.i-ce')
  expect(said({ SUDO_USER: 'al ice$(id)' }, 'exit 1')).toBe('CUTROOM_ASKED_BY=')
})
