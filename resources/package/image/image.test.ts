import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tarHeader } from '../archive.ts'
import { parseLdd } from './libraries.ts'
import { imageConfig, imageName } from './layout.ts'

const compose = readFileSync(join(import.meta.dirname, '..', 'compose.yaml'), 'utf8')
const LAYER = { mediaType: 'x', digest: 'sha256:1', size: 1, diffId: 'sha256:2', made: 'by hand' }
const made = imageConfig({ version: '1.2.3', target: { os: 'linux', cpu: 'arm64' } }, [LAYER], 1_700_000_000)

test('what ldd says is read: libraries, the loader, and what is not there', () => {
  const said = `\tlinux-vdso.so.1 (0x00007f6bd58f6000)
\tlibcap.so.2 => /lib/x86_64-linux-gnu/libcap.so.2 (0x00007f6bd5898000)
\tlibcudart.so.12 => not found
\tlibown.so => /home/a user/app/libown.so (0x00007f6bd5616000)
\t/lib64/ld-linux-x86-64.so.2 (0x00007f6bd58f8000)
`
  expect(parseLdd(said)).toEqual({
    found: ['/lib/x86_64-linux-gnu/libcap.so.2', '/home/a user/app/libown.so', '/lib64/ld-linux-x86-64.so.2'],
    missing: ['libcudart.so.12'],
  })
  expect(parseLdd('\tstatically linked\n')).toEqual({ found: [], missing: [] })
})

test('the image runs as its own user, on a home of its own, and names its layers', () => {
  expect(made).toMatchObject({
    created: '2023-11-14T22:13:20.000Z',
    architecture: 'arm64',
    config: { User: '10001:10001', Volumes: { '/data': {} }, ExposedPorts: { '4810/tcp': {} } },
    rootfs: { type: 'layers', diff_ids: ['sha256:2'] },
  })
  expect(made.config.Env).toContain('CUTROOM_HOME=/data')
  expect(JSON.stringify(made)).not.toMatch(/secret|token|_key/i)
})

test('compose.yaml fits the image, and lets it do little', () => {
  const { User, Volumes, Entrypoint, ExposedPorts } = made.config
  for (const line of [
    `user: '${User}'`,
    `volumes: ['home:${Object.keys(Volumes)[0] ?? ''}']`,
    `ports: ['127.0.0.1:4810:${Object.keys(ExposedPorts)[0]?.replace('/tcp', '') ?? ''}']`,
    'read_only: true',
    'cap_drop: [ALL]',
    "security_opt: ['no-new-privileges:true']",
    "tmpfs: ['/tmp:size=1g,mode=1777']",
    `'${Entrypoint[0] ?? ''}',`,
    "image: '@IMAGE@'",
    'pull_policy: never',
  ])
    expect(compose).toContain(line)
  expect(compose).not.toMatch(/^\s*(?:privileged|cap_add|network_mode|pid|ipc):/m)
})

test('a name may have no plus sign and no tilde', () => {
  expect(imageName('0.2.0+next~1')).toBe('localhost/cutroom:0.2.0-next-1')
})

test('an entry of an archive may have rights and an owner of its own', () => {
  const folder = { name: 'data/', file: null, bytes: 0, executable: true }
  const header = tarHeader({ ...folder, mode: 0o700, owner: 10_001 }, 0).toString('latin1')
  expect(header.slice(100, 107)).toBe('0000700')
  expect([header.slice(108, 115), header.slice(116, 123)]).toEqual(['0023421', '0023421'])
  expect(header.slice(265, 345)).toBe('\0'.repeat(80))
  expect(tarHeader(folder, 0).toString('latin1').slice(265, 269)).toBe('root')
})
