import { expect, it } from 'vitest'
import { isFor, type Focus } from './focus.ts'

const key = (name: string, ctrlKey = false) => ({ key: name, ctrlKey, metaKey: false })
const CONTROLS: readonly Focus[] = ['list', 'range', 'choice', 'pick', 'button', 'slider', 'none']

it('leaves every key to a text, which has an undo of its own', () => {
  for (const name of ['s', ' ', 'Home', '?']) expect(isFor('text', key(name))).toBe(true)
  expect([isFor('text', key('z', true)), isFor('text', key('y', true))]).toEqual([true, true])
})

it('undoes and redoes after any other control has been set', () => {
  for (const focus of CONTROLS) {
    expect([focus, isFor(focus, key('z', true)), isFor(focus, key('y', true))]).toEqual([focus, false, false])
    expect(isFor(focus, { key: 'z', ctrlKey: false, metaKey: true })).toBe(false)
  }
})

it('leaves to a control the keys that it has of its own, and no other', () => {
  const own = (focus: Focus) =>
    ['ArrowLeft', 'Home', 'PageDown', ' ', 's'].filter((name) => isFor(focus, key(name)))
  expect(Object.fromEntries(CONTROLS.map((focus) => [focus, own(focus).join()]))).toEqual({
    list: 'ArrowLeft,Home,PageDown, ,s',
    range: 'ArrowLeft,Home,PageDown',
    choice: 'ArrowLeft, ',
    pick: 'ArrowLeft, ',
    button: ' ',
    slider: 'Home',
    none: '',
  })
})
