import { expect, test } from 'vitest'
import { splitUserInfo, withUserInfo } from './source-url.ts'

test.each([
  ['https://reader:pass@host/x?y=a@b', 'https://host/x?y=a@b', 'reader:pass'],
  ['https://a%40b:p@ss@host/x', 'https://host/x', 'a%40b:p@ss'],
  ['rtmp://u:p@host/app/key', 'rtmp://host/app/key', 'u:p'],
  ['https://host/x@y', 'https://host/x@y', null],
  ['https://host?x=https://a:b@c', 'https://host?x=https://a:b@c', null],
])('%s is stored as %s', (given, url, userInfo) => {
  expect(splitUserInfo(given)).toEqual({ url, userInfo })
  expect(withUserInfo(url, userInfo)).toBe(given)
})

test('a password with signs that mean something to replace stays as it is', () => {
  expect(withUserInfo('https://host/x', "u:$&$1$'")).toBe("https://u:$&$1$'@host/x")
})
