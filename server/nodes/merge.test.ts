/** Merging of JSON values, key by key, without touching a prototype. */
import { describe, expect, it } from 'vitest'
import type { JsonObject } from './declare.ts'
import {
  deepMerge,
  isPlainObject,
  omit,
  own,
  setOwn,
  withoutOldFile,
  withoutOldFileIn,
  type DocumentConfigField,
} from './merge.ts'

describe('isPlainObject', () => {
  it.each<readonly [value: unknown, plain: boolean]>([
    [{}, true],
    [{ a: 1 }, true],
    [Object.create(null), true],
    [[], false],
    [null, false],
    [undefined, false],
    ['text', false],
    [5, false],
    [new Date(0), false],
    [new Map(), false],
    [Object.create({ a: 1 }), false],
    [() => 1, false],
  ])('%o: %j', (value, plain) => {
    expect(isPlainObject(value)).toBe(plain)
  })
  it('knows an array that hides behind a plain prototype', () => {
    expect(isPlainObject(Object.setPrototypeOf([], Object.prototype))).toBe(false)
    expect(isPlainObject(Object.setPrototypeOf([], null))).toBe(false)
  })
})

it('reads own properties alone', () => {
  expect(own({ a: 1 }, 'a')).toBe(1)
  expect(own({ a: 1 }, 'b')).toBeUndefined()
  expect(own({}, 'constructor')).toBeUndefined()
  expect(own({}, '__proto__')).toBeUndefined()
})

it('sets an own property that can be changed and removed again', () => {
  const object: JsonObject = {}
  setOwn(object, '__proto__', { evil: true })
  setOwn(object, 'a', 1)
  expect(Object.getPrototypeOf(object)).toBe(Object.prototype)
  expect(Object.keys(object)).toEqual(['__proto__', 'a'])
  expect(Object.getOwnPropertyDescriptor(object, 'a')).toEqual({
    value: 1,
    writable: true,
    enumerable: true,
    configurable: true,
  })
})

describe('deepMerge', () => {
  it.each<readonly [base: JsonObject, over: JsonObject, merged: JsonObject]>([
    [{}, {}, {}],
    [{ a: 1 }, { b: 2 }, { a: 1, b: 2 }],
    [{ a: 1 }, { a: 2 }, { a: 2 }],
    [{ a: 1 }, { a: null }, { a: null }],
    [{ a: { b: 1, c: 2 } }, { a: { c: 3, d: 4 } }, { a: { b: 1, c: 3, d: 4 } }],
    [{ a: { b: { c: 1 } } }, { a: { b: { d: 2 } } }, { a: { b: { c: 1, d: 2 } } }],
    [{ a: { b: 1 } }, { a: 5 }, { a: 5 }],
    [{ a: 5 }, { a: { b: 1 } }, { a: { b: 1 } }],
    [{ a: [1, 2, 3] }, { a: [4] }, { a: [4] }],
    [{ a: [1] }, { a: { b: 1 } }, { a: { b: 1 } }],
    [{ a: { b: 1 } }, { a: [1] }, { a: [1] }],
  ])('%j under %j is %j', (base, over, merged) => {
    const before = structuredClone({ base, over })
    expect(deepMerge(base, over)).toEqual(merged)
    expect({ base, over }).toEqual(before)
  })

  it('shares nothing with what it was made of', () => {
    const base = { list: [{ a: 1 }], deep: { a: 1 } }
    const over = { other: [{ b: 1 }], more: { b: { c: 1 } } }
    const merged = deepMerge(base, over)
    expect(merged).toEqual({ ...base, ...over })
    for (const [name, value] of Object.entries({ ...base, ...over })) expect(merged[name]).not.toBe(value)
    expect((merged['list'] as unknown[])[0]).not.toBe(base.list[0])
    expect((merged['other'] as unknown[])[0]).not.toBe(over.other[0])
    expect(Array.isArray(merged['list'])).toBe(true)
  })

  it('takes hostile keys for plain ones', () => {
    const hostile = JSON.parse('{"__proto__": {"evil": true}, "constructor": {"a": 1}}') as JsonObject
    const merged = deepMerge({ a: 1 }, hostile)
    expect(Object.keys(merged)).toEqual(['a', '__proto__', 'constructor'])
    expect(merged['evil']).toBeUndefined()
    expect(Object.keys(deepMerge(hostile, { b: 1 }))).toEqual(['__proto__', 'constructor', 'b'])
  })
})

it('leaves keys out', () => {
  const object = { a: 1, b: 2, c: undefined }
  expect(Object.entries(omit(object, 'a', 'z'))).toEqual([
    ['b', 2],
    ['c', undefined],
  ])
  expect(omit(object)).toEqual(object)
  expect(omit(object)).not.toBe(object)
})

const MUSIC = { url: 'old', id: 1, name: 'Tune', thumbnailUrl: 't', duration: 9, volume: 0.5 }
const CARD = { url: 'old', isVideo: true, videoDuration: 4, duration: 3 }

describe('withoutOldFile', () => {
  it.each<readonly [field: DocumentConfigField, base: JsonObject, change: JsonObject, left: JsonObject]>([
    ['backgroundMusicOption', MUSIC, { url: 'new' }, { url: 'new', volume: 0.5 }],
    ['backgroundMusicOption', MUSIC, { url: 'new', name: 'Song' }, { url: 'new', name: 'Song', volume: 0.5 }],
    ['backgroundMusicOption', MUSIC, { url: 'old', volume: 1 }, { ...MUSIC, volume: 1 }],
    ['backgroundMusicOption', MUSIC, { volume: 1 }, { ...MUSIC, volume: 1 }],
    ['backgroundMusicOption', { volume: 1, id: 2 }, { url: 'new' }, { url: 'new', volume: 1 }],
    ['endCardOption', CARD, { url: 'new' }, { url: 'new', duration: 3 }],
    ['endCardOption', CARD, { url: 'new', isVideo: false }, { url: 'new', isVideo: false, duration: 3 }],
    ['watermarkConfig', { url: 'old', id: 1 }, { url: 'new' }, { url: 'new', id: 1 }],
    ['titleConfig', { url: 'old', name: 'a' }, { url: 'new' }, { url: 'new', name: 'a' }],
  ])('%s %j changed by %j is %j', (field, base, change, left) => {
    const merged = deepMerge(base, change)
    expect(withoutOldFile(field, { base, change, merged })).toEqual(left)
  })
})

describe('withoutOldFileIn', () => {
  const forget = (base: JsonObject, layer: JsonObject, merged = deepMerge(base, layer)) =>
    withoutOldFileIn('music', 'backgroundMusicOption', { base, layer, merged })
  it.each<readonly [base: JsonObject, layer: JsonObject, left: JsonObject]>([
    [{ music: MUSIC, a: 1 }, { music: { url: 'new' } }, { music: { url: 'new', volume: 0.5 }, a: 1 }],
    [{ music: MUSIC }, { a: 1 }, { music: MUSIC, a: 1 }],
    [{ music: MUSIC }, { music: null }, { music: null }],
    [{ music: 'odd' }, { music: { url: 'new', volume: 1 } }, { music: { url: 'new', volume: 1 } }],
    [{}, { music: { url: 'new', volume: 1 } }, { music: { url: 'new', volume: 1 } }],
  ])('%j under %j leaves %j', (base, layer, left) => {
    expect(forget(base, layer)).toEqual(left)
  })
  it('leaves what was merged to something else alone', () => {
    const merged = { music: 'odd' }
    expect(forget({ music: MUSIC }, { music: { url: 'new' } }, merged)).toBe(merged)
    const whole = { music: { name: 'x' } }
    expect(forget({ music: MUSIC }, { music: 'new' }, whole)).toBe(whole)
  })
})
