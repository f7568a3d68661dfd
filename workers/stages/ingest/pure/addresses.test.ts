import { expect, it } from 'vitest'
import { addressAllowed, addressKind } from './addresses.ts'

it.each([
  ['8.8.8.8', 'public'],
  ['2a00:1450:4001:80e::200e', 'public'],
  ['::ffff:8.8.8.8', 'public'],
  ['127.0.0.1', 'private'],
  ['0.0.0.0', 'private'],
  ['10.1.2.3', 'private'],
  ['172.16.0.1', 'private'],
  ['192.168.1.1', 'private'],
  ['100.64.0.1', 'private'],
  ['198.18.0.1', 'private'],
  ['240.0.0.1', 'private'],
  ['::', 'private'],
  ['::1', 'private'],
  ['[::1]', 'private'],
  ['fd12:3456::1', 'private'],
  ['fec0::1', 'private'],
  ['::ffff:127.0.0.1', 'private'],
  ['::ffff:7f00:1', 'private'],
  ['64:ff9b::a00:1', 'private'],
  ['2002:c0a8:101::1', 'private'],
  ['169.254.169.254', 'metadata'],
  ['169.254.0.1', 'metadata'],
  ['::ffff:169.254.169.254', 'metadata'],
  ['64:ff9b::a9fe:a9fe', 'metadata'],
  ['2002:a9fe:a9fe::1', 'metadata'],
  ['::169.254.169.254', 'metadata'],
  ['fe80::1', 'metadata'],
  ['fe80::1%eth0', 'metadata'],
  ['fd00:ec2::254', 'metadata'],
  ['fd00:ec2:0:0::0254', 'metadata'],
  ['100.100.100.200', 'metadata'],
  ['fd20:ce::254', 'metadata'],
  ['168.63.129.16', 'metadata'],
  ['224.0.0.1', 'metadata'],
  ['ff02::1', 'metadata'],
  ['255.255.255.255', 'metadata'],
  ['', 'metadata'],
  ['not an address', 'metadata'],
])('%s is %s', (address, kind) => {
  expect(addressKind(address)).toBe(kind)
  expect(addressAllowed(address, 'any')).toBe(kind !== 'metadata')
  expect(addressAllowed(address, 'public')).toBe(kind === 'public')
})
