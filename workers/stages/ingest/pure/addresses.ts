/** Network addresses from which a source may be fetched. PURE: the caller resolves names. */
import ipaddr from 'ipaddr.js'

/** `metadata`: never allowed (link-local, cloud metadata, multicast). `private`: allowed under the policy `any`. */
export type AddressKind = 'public' | 'private' | 'metadata'

/** Metadata services outside of the link-local range (AWS and Google over IPv6, Alibaba, Oracle, Azure). */
const METADATA = ['fd00:ec2::254', 'fd20:ce::254', '100.100.100.200', '192.0.0.192', '168.63.129.16'].map(
  (text) => ipaddr.parse(text).toNormalizedString(),
)

/** Classifies a literal address; IPv4 inside IPv6 (mapped, 6to4, NAT64) counts as the IPv4 address that it reaches. */
export function addressKind(text: string): AddressKind {
  const bare = text.replace(/^\[|\]$/g, '').replace(/%.*$/, '')
  if (!ipaddr.isValid(bare)) return 'metadata'
  const address = unwrap(ipaddr.process(bare))
  if (METADATA.includes(address.toNormalizedString())) return 'metadata'
  const range: string = address.range()
  if (['linkLocal', 'multicast', 'broadcast'].includes(range)) return 'metadata'
  if (range !== 'unicast') return 'private'
  // Only 2000::/3 is assigned as public IPv6.
  const global = address.kind() === 'ipv4' || ((address as ipaddr.IPv6).parts[0] ?? 0) >> 13 === 1
  return global ? 'public' : 'private'
}

/** Whether the policy allows a connection to this address. `loopback`: to this machine only. */
export function addressAllowed(text: string, policy: 'any' | 'public' | 'loopback'): boolean {
  if (policy === 'loopback') return isLoopback(text)
  const kind = addressKind(text)
  return kind === 'public' || (kind === 'private' && policy === 'any')
}

function isLoopback(text: string): boolean {
  const bare = text.replace(/^\[|\]$/g, '')
  return ipaddr.isValid(bare) && ipaddr.process(bare).range() === 'loopback'
}

function unwrap(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (address.kind() === 'ipv4') return address
  const six = address as ipaddr.IPv6
  const bytes = six.toByteArray()
  const range: string = six.range()
  if (range === '6to4') return new ipaddr.IPv4(bytes.slice(2, 6))
  if (range === 'rfc6052' || range === 'rfc6145') return new ipaddr.IPv4(bytes.slice(12, 16))
  // ::a.b.c.d, the old compatible form, reaches the IPv4 address on some systems.
  const compatible = bytes.slice(0, 12).every((byte) => byte === 0) && (bytes[12] ?? 0) !== 0
  return compatible ? new ipaddr.IPv4(bytes.slice(12, 16)) : address
}
