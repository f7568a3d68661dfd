import { describe, expect, it } from 'vitest'
import { renderWarnings } from './render-warnings.ts'

describe('renderWarnings', () => {
  it.each([
    ['The font "Nowhere Sans" is not here; "Inter" is used in its place.', 'FONT_NOT_FOUND', 'fontFamily'],
    [
      'endCardOption.url (https://a.b/c.png) is left out: It was not fetched yet.',
      'FILE_LEFT_OUT',
      'endCardOption.url',
    ],
    ['add_broll: "a dog" (https://a.b/c.png) is left out: HTTP 404.', 'FILE_LEFT_OUT', 'add_broll'],
    ['add_broll: "a dog" is left out: its words were cut, or came too near.', 'NEVER_SHOWN', 'add_broll'],
    ['An overlay (https://a.b/c.png) is left out: HTTP 404.', 'FILE_LEFT_OUT', 'overlays'],
    [
      'watermarkConfig.url is empty, so there is no picture to show.',
      'FILE_NOT_NAMED',
      'watermarkConfig.url',
    ],
    [
      'subtitleConfig.fontColor "no" was ignored: it should be a CSS colour.',
      'VALUE_IGNORED',
      'subtitleConfig.fontColor',
    ],
    ['There is no caption preset "x"; "y" is used in its place.', 'NAME_UNKNOWN', 'subtitleConfig.styleId'],
    ['watermarkConfig is never shown: its offsets leave nothing.', 'NEVER_SHOWN', 'watermarkConfig'],
    ['titleConfig.prompt was not followed: no language model', 'PROMPT_NOT_FOLLOWED', 'titleConfig.prompt'],
    ['subtitleConfig.avoidFaces: no faces were looked for when', 'NOT_MEASURED', 'subtitleConfig.avoidFaces'],
    ['Something that nobody wrote down.', 'OTHER', null],
  ])('%s: %s of %s', (message, code, field) => {
    expect(renderWarnings('c1', [message, message])).toEqual([{ code, field, message, clipId: 'c1' }])
  })

  it('leaves out by what nothing is lost', () => {
    expect(renderWarnings('c1', ['The clip is silent, so its loudness was not adjusted.'])).toEqual([])
  })
})
