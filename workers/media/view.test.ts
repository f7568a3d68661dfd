import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { systemView } from './view.ts'

const UNITS = join(import.meta.dirname, '..', '..', 'resources', 'package', 'debian')
const CARDS = [
  'dri',
  'kfd',
  'nvidia0',
  'nvidiactl',
  'nvidia-uvm',
  'nvidia-uvm-tools',
  'nvidia-modeset',
  'nvidia-caps',
]

/** What is shown by one option of bubblewrap: from, to. */
const shown = (view: readonly string[], option: string): string[] =>
  view.flatMap((word, at) => (word === option ? [`${view[at + 1] ?? ''} ${view[at + 2] ?? ''}`] : []))

/** The values of a setting of a unit, in the order in which they apply. */
const settings = (unit: string, name: string): string[] =>
  readFileSync(join(UNITS, unit), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith(`${name}=`))
    .map((line) => line.slice(name.length + 1))

it('shows the devices of graphics cards, which encode, behind its own /dev, and no other device', async () => {
  const view = await systemView([...CARDS, 'sda', 'mem', 'kmsg', 'video0', 'null'])
  expect(shown(view, '--dev-bind-try')).toEqual(CARDS.map((name) => `/dev/${name} /dev/${name}`))
  expect(view.indexOf('--dev-bind-try')).toBeGreaterThan(view.indexOf('--dev'))
  // Drivers find their card there.
  expect(shown(view, '--ro-bind-try')).toContain('/sys /sys')
})

it('shows nothing of them where there is no card', async () => {
  const view = await systemView(['sda', 'null', 'nvram'])
  expect(view).not.toContain('--dev-bind-try')
  expect(shown(view, '--ro-bind-try')).not.toContain('/sys /sys')
})

it('works inside the unit of the service: each namespace may be made, and mounting in it', async () => {
  const view = await systemView([])
  const made = view
    .filter((word) => word.startsWith('--unshare-'))
    .map((word) => word.slice('--unshare-'.length))
  const [namespaces = ''] = settings('cutroom.service', 'RestrictNamespaces')
  // Mounts always, a user where it is not root, and the network for all that needs none.
  expect(namespaces.split(' ')).toEqual(expect.arrayContaining(['mnt', 'user', 'net', ...made]))
  const filters = settings('cutroom.service', 'SystemCallFilter')
  const denied = filters.indexOf('~@privileged')
  expect(filters[0]).toBe('@system-service')
  expect(
    filters
      .slice(denied + 1)
      .join(' ')
      .split(' '),
  ).toEqual(expect.arrayContaining(['@mount', 'capset']))
  expect(settings('cutroom.service', 'NoNewPrivileges')).toEqual(['yes'])
})

it('has the part of the unit for graphics cards allow every device that tools are shown', () => {
  expect(settings('gpu.conf', 'PrivateDevices')).toEqual(['no'])
  const allowed = settings('gpu.conf', 'DeviceAllow')
  // By the names of their drivers, as /proc/devices has them.
  for (const driver of ['drm', 'kfd', 'nvidia', 'nvidia-frontend', 'nvidia-uvm', 'nvidia-caps'])
    expect(allowed).toContain(`char-${driver} rw`)
})
