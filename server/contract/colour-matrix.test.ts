import { describe, expect, it } from 'vitest'
import { hdrColours } from './colour-matrix.ts'

describe('the colours of HDR', () => {
  it.each([
    [
      'all said',
      { hdr: true, colourSpace: 'bt2020nc', colourPrimaries: 'bt2020' },
      { colourMatrix: 'bt2020' },
    ],
    [
      'primaries unsaid',
      { hdr: true, colourSpace: 'bt2020nc', colourPrimaries: 'unknown' },
      { colourMatrix: 'bt2020', unknownPrimaries: true },
    ],
    [
      'nothing said',
      { hdr: true, colourSpace: 'unknown', colourPrimaries: 'unknown' },
      { unknownPrimaries: true },
    ],
    ['no HDR', { hdr: false, colourSpace: 'bt709', colourPrimaries: 'unknown' }, {}],
  ])('%s', (_name, video, told) => {
    expect(hdrColours(video)).toEqual(told)
  })
})
