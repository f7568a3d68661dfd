import { describe, expect, it } from 'vitest'
import { contentLength, decideResponse, type RequestedRange } from './response.ts'

const fresh: RequestedRange = { from: 0, total: null, etag: null, lastModified: null, known: null }
const resumed: RequestedRange = { ...fresh, from: 100, total: 300, etag: '"a"' }
const seen: RequestedRange = { ...fresh, known: { bytes: 300, etag: '"a"', lastModified: 'Mon' } }

describe('what an answer means', () => {
  it.each([
    [200, { 'content-length': '300' }, fresh, { kind: 'receive', from: 0, total: 300 }],
    [200, {}, fresh, { kind: 'receive', from: 0, total: null }],
    [200, { 'content-length': '300' }, resumed, { kind: 'receive', from: 0, total: 300 }],
    [206, { 'content-range': 'bytes 100-299/300' }, resumed, { kind: 'receive', from: 100, total: 300 }],
    [206, { 'content-range': 'bytes 100-299/*' }, resumed, { kind: 'receive', from: 100, total: 300 }],
    [206, { 'content-range': 'bytes 0-299/300' }, resumed, { kind: 'restart' }],
    [206, { 'content-range': 'bytes 100-399/400' }, resumed, { kind: 'restart' }],
    [206, { 'content-range': 'bytes 100-299/300', etag: '"b"' }, resumed, { kind: 'restart' }],
    [206, {}, resumed, { kind: 'restart' }],
    [416, { 'content-range': 'bytes */300' }, { ...resumed, from: 300 }, { kind: 'complete' }],
    [416, { 'content-range': 'bytes */200' }, { ...resumed, from: 300 }, { kind: 'restart' }],
    [304, {}, seen, { kind: 'unchanged' }],
    [200, { 'content-length': '300', etag: '"a"' }, seen, { kind: 'unchanged' }],
    [200, { 'content-length': '301', etag: '"a"' }, seen, { kind: 'receive', from: 0, total: 301 }],
    [200, { 'content-length': '300', etag: '"b"' }, seen, { kind: 'receive', from: 0, total: 300 }],
    [302, { location: '/x' }, fresh, { kind: 'redirect', location: '/x' }],
    [503, { 'retry-after': '7' }, fresh, { kind: 'again', afterSeconds: 7 }],
    [429, { 'retry-after': '9000' }, fresh, { kind: 'again', afterSeconds: 30 }],
    [404, {}, fresh, { kind: 'fail', code: 'SOURCE_UNREACHABLE' }],
    [401, {}, fresh, { kind: 'fail', code: 'SOURCE_FORBIDDEN' }],
    [418, {}, fresh, { kind: 'fail', code: 'SOURCE_UNREACHABLE' }],
    [302, {}, fresh, { kind: 'fail', code: 'SOURCE_UNREACHABLE' }],
    [200, { 'content-encoding': 'gzip' }, fresh, { kind: 'fail', code: 'SOURCE_UNREACHABLE' }],
  ])('%d %j', (status, headers, requested, expected) => {
    expect(decideResponse(status, headers, requested)).toMatchObject(expected)
  })

  it('takes Last-Modified for the version only where there are no ETags', () => {
    const known = { bytes: 300, etag: null, lastModified: 'Mon' }
    const headers = { 'content-length': '300', 'last-modified': 'Mon' }
    expect(decideResponse(200, headers, { ...fresh, known })).toEqual({ kind: 'unchanged' })
    expect(decideResponse(200, { ...headers, etag: '"n"' }, { ...fresh, known }).kind).toBe('receive')
    expect(decideResponse(200, { ...headers, 'last-modified': 'Tue' }, { ...fresh, known }).kind).toBe(
      'receive',
    )
  })

  it('reads lengths that are lengths', () => {
    expect(
      ['12', ' 12 ', '-1', '1e3', '99999999999999999', undefined].map((text) =>
        contentLength({ 'content-length': text }),
      ),
    ).toEqual([12, 12, null, null, null, null])
  })
})
