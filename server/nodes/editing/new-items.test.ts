import { Value } from '@sinclair/typebox/value'
import { expect, it } from 'vitest'
import { ManualOverlays } from '../../contract/manual-overrides/overlays.ts'
import { ManualZooms } from '../../contract/manual-overrides/zooms.ts'
import { freeId, newText, newZoom } from './new-items.ts'

const stretch = { start: 1, end: 3 }

it('gives ids that are free', () => {
  expect(freeId('zoom', [])).toBe('zoom-1')
  expect(freeId('zoom', [{ id: 'zoom-2' }])).toBe('zoom-3')
  expect(freeId('zoom', [{ id: 'zoom-2' }, { id: 'zoom-3' }, { id: 'text-4' }])).toBe('zoom-4')
})

it('makes zooms and texts that the appliance takes, one beside the other', () => {
  const zooms = [newZoom([], stretch)]
  zooms.push(newZoom(zooms, { start: 4, end: 5 }, { scale: 1.6, xPercent: 20 }))
  expect(Value.Check(ManualZooms, zooms)).toBe(true)
  expect(zooms.map(({ id, scale, xPercent }) => [id, scale, xPercent])).toEqual([
    ['zoom-1', 1.25, 50],
    ['zoom-2', 1.6, 20],
  ])
  const texts = [newText([], stretch)]
  texts.push(newText(texts, stretch, 'Look'))
  expect(Value.Check(ManualOverlays, texts)).toBe(true)
  expect(texts.map(({ id, text }) => [id, text])).toEqual([
    ['text-1', 'Your text'],
    ['text-2', 'Look'],
  ])
})

it('makes them with the usual look', () => {
  expect(newZoom([], stretch)).toEqual({
    id: 'zoom-1',
    start: 1,
    end: 3,
    scale: 1.25,
    xPercent: 50,
    yPercent: 40,
    easeSeconds: 0.3,
  })
  expect(newText([], stretch)).toEqual({
    kind: 'text',
    id: 'text-1',
    start: 1,
    end: 3,
    text: 'Your text',
    fontFamily: 'Inter',
    fontSize: 90,
    fontWeight: 800,
    colour: '#ffffff',
    background: '#000000b3',
    xPercent: 50,
    yPercent: 30,
    opacity: 1,
    fadeSeconds: 0,
  })
})
