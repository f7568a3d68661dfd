import { describe, expect, it } from 'vitest'
import { mendWindow } from './mend-window.ts'
import { isEcho, MAX_PROMPT_TOKENS, promptOf } from './prompt.ts'

/** One token a letter. */
const encode = (text: string): number[] => [...text].map((letter) => letter.charCodeAt(0))

describe('promptOf', () => {
  it('joins keywords once each, and nothing makes nothing', () => {
    const { tokens, used, left } = promptOf([' Grace  Hopper ', '', 'COBOL', 'COBOL'], encode)
    expect(String.fromCharCode(...tokens)).toBe(' Grace Hopper, COBOL.')
    expect(used).toEqual(['Grace Hopper', 'COBOL'])
    expect(left).toEqual([])
    expect(promptOf([], encode)).toEqual({ tokens: [], used: [], left: [] })
  })

  it('takes as many as have room, from the first on', () => {
    const long = 'x'.repeat(60)
    const { tokens, used, left } = promptOf([long, `${long}2`, 'short'], encode)
    expect(used).toEqual([long])
    expect(left).toEqual([`${long}2`, 'short'])
    expect(tokens.length).toBeLessThanOrEqual(MAX_PROMPT_TOKENS)
    expect(promptOf(['y'.repeat(500)], encode)).toMatchObject({ tokens: [], used: [] })
  })
})

describe('repeated keywords', () => {
  const keywords = ['Grace Hopper', 'COBOL', 'Harvard']

  it('knows them in order, whole or a run of them, not a sentence that has them', () => {
    expect(isEcho(' Grace Hopper, COBOL, Harvard.', keywords)).toBe(true)
    expect(isEcho('COBOL, Harvard', keywords)).toBe(true)
    expect(isEcho('COBOL', keywords)).toBe(false)
    expect(isEcho('Grace Hopper made COBOL at Harvard.', keywords)).toBe(false)
    expect(isEcho('', keywords)).toBe(false)
    expect(isEcho('anything', [])).toBe(false)
  })

  it('is no speech of the window', () => {
    const pieces = [{ text: ' Grace Hopper, COBOL, Harvard.', from: 0, to: 2 }]
    const window = { start: 0, end: 3, words: false, pieces }
    const voice = [{ start: 0, end: 3 }]
    expect(mendWindow(window, voice, keywords)).toEqual({ pieces: [], dropped: 'repeated keywords' })
    expect(mendWindow(window, voice).dropped).toBe('none')
  })
})
