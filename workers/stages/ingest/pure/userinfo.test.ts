import { expect, it } from 'vitest'
import { withoutUserinfo } from '../source-url.ts'
import { measureSlowness } from '../../../../test/support/pace.ts'

it.each([
  ['ERROR: Unsupported URL: http://alice:pw@host/page', 'ERROR: Unsupported URL: http://host/page'],
  ['at https://a:b@c@host:8443/x?y=z@1, then', 'at https://host:8443/x?y=z@1, then'],
  ['rtmps://key@host and srt://:x@host', 'rtmps://host and srt://host'],
  ["proxy='http://cutroom:p%40w@127.0.0.1:1'", "proxy='http://127.0.0.1:1'"],
  ['//alice:pw@host', '//host'],
  ['mail alice@example.org, http://host/@alice', 'mail alice@example.org, http://host/@alice'],
  ['<a href="http://host">me@x</a>', '<a href="http://host">me@x</a>'],
])('%s', (text, cleaned) => {
  expect(withoutUserinfo(text)).toBe(cleaned)
})

it('takes no time over what is no address', () => {
  const started = performance.now()
  withoutUserinfo('//a'.repeat(200_000))
  withoutUserinfo(`//${'a'.repeat(600_000)}`)
  expect(performance.now() - started).toBeLessThan(2000 * measureSlowness())
})
