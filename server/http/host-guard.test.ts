import { describe, expect, it } from 'vitest'
import { hostName, isAllowedHost, isAllowedOrigin, isOwnOrigin, type HostRules } from './request-guard.ts'

const rules: HostRules = { listen: '127.0.0.1', allowed: [], publicUrl: null }

describe('isAllowedHost', () => {
  it.each([
    ['localhost', {}, true],
    ['localhost.:80', {}, true],
    ['a.localhost', {}, true],
    ['127.1.2.3:80', {}, true],
    ['[::1]:80', {}, true],
    ['localhost.evil.example', {}, false],
    ['127.0.0.1.evil.example', {}, false],
    ['192.168.1.5', {}, false],
    ['192.168.1.5:80', { listen: '192.168.1.5' }, true],
    ['192.168.1.5', { listen: '0.0.0.0' }, true],
    ['[fd00::1]', { listen: '::' }, true],
    ['rack.lan', { listen: '0.0.0.0' }, false],
    ['rack.lan:80', { allowed: ['Rack.lan'] }, true],
    ['rack.lan:80', { allowed: ['rack.lan:80'] }, true],
    ['rack.lan:81', { allowed: ['rack.lan:80'] }, false],
    ['clips.example', { publicUrl: 'https://clips.example/x' }, true],
    ['[fd00::1]:80', { allowed: ['[FD00::1]'] }, true],
    ['[fd00::1]:80', { allowed: ['fd00::1'] }, true],
    ['[fd00::1]:80', { allowed: ['[fd00::1]:80'] }, true],
    ['[fd00::2]:80', { allowed: ['[fd00::1]'] }, false],
    ['[fd00::1]:80', { publicUrl: 'http://[fd00::1]:80' }, true],
    ['user@localhost', {}, false],
    ['localhost/x', {}, false],
    ['', {}, false],
    [undefined, {}, false],
  ])('%s with %j: %s', (host, changes, expected) => {
    expect(isAllowedHost(host, { ...rules, ...changes })).toBe(expected)
  })
})

describe('hostName', () => {
  it.each([
    ['A.Example:80', 'a.example'],
    ['[::1]', '::1'],
    ['a:b', null],
    ['a:123456', null],
  ])('%s: %s', (host, expected) => {
    expect(hostName(host)).toBe(expected)
  })
})

describe('origins', () => {
  it.each([
    [undefined, true],
    ['http://localhost:5173', true],
    ['null', false],
    ['https://evil.example', false],
    ['http://localhost.evil.example', false],
  ])('isAllowedOrigin %s: %s', (origin, expected) => {
    expect(isAllowedOrigin(origin, rules)).toBe(expected)
  })

  it.each([
    [{ origin: 'http://localhost:1', host: 'localhost:1' }, true],
    [{ origin: 'http://localhost:2', host: 'localhost:1' }, false],
    [{ origin: 'null', host: 'localhost:1' }, false],
    [{ host: 'localhost:1' }, false],
    [{ host: 'localhost:1', 'sec-fetch-site': 'same-origin' }, true],
    [{ host: 'localhost:1', 'sec-fetch-site': 'same-site' }, false],
    [{ origin: 'https://clips.example', host: 'inner:80' }, true],
  ])('isOwnOrigin %j: %s', (headers, expected) => {
    expect(isOwnOrigin(headers, { ...rules, publicUrl: 'https://clips.example/x' })).toBe(expected)
  })
})
