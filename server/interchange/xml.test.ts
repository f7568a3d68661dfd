import { expect, it } from 'vitest'
import { xml, xmlDocument, xmlText } from './xml.ts'

it('writes elements with their text or their elements, two spaces a level', () => {
  const root = xml('list', { version: '1' }, [
    xml('empty'),
    xmlText('blank', ''),
    xml('inner', { id: 7, gone: undefined, zero: 0 }, [xmlText('name', 'a b')]),
  ])
  expect(xmlDocument('list', root)).toBe(
    [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<!DOCTYPE list>',
      '<list version="1">',
      '  <empty/>',
      '  <blank></blank>',
      '  <inner id="7" zero="0">',
      '    <name>a b</name>',
      '  </inner>',
      '</list>',
      '',
    ].join('\n'),
  )
})

it('escapes in text and attributes what XML reads as its own, all of it', () => {
  const text = '<a> & "b"\n<a> & "b"\n'
  const escaped = '&lt;a&gt; &amp; &quot;b&quot;&#10;'.repeat(2)
  const [, , line] = xmlDocument('x', xml('x', { y: text }, text)).split('\n')
  expect(line).toBe(`<x y="${escaped}">${escaped}</x>`)
})

it('leaves out the characters that XML 1.0 has no place for, and keeps their neighbours', () => {
  const [, , line] = xmlDocument(
    'x',
    xmlText('x', '\u0000\u0008[\t\u000b\u000c\r\u000e\u001f \ud800\ud83d\ude00\udc00\ufffd\ufffe\uffff]'),
  ).split('\n')
  expect(line).toBe('<x>[\t\r \ud83d\ude00\ufffd]</x>')
})
