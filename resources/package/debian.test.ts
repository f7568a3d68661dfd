import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { controlFile, copyrightFile } from './debian.ts'

const part = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8')

test('the control file says what dpkg has to know', () => {
  const lines = controlFile('0.1.0', 'arm64', 400_000).split('\n')
  expect(lines).toContain('Package: cutroom')
  expect(lines).toContain('Architecture: arm64')
  expect(lines).toContain('Installed-Size: 400000')
  expect(lines.find((line) => line.startsWith('Depends: '))).toContain('libc6 (>= 2.28)')
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
    ...['launcher.sh', 'cutroom.sh', 'install.sh'],
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
