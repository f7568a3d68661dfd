import { describe, expect, it } from 'vitest'
import { secondsToTicks } from '../../../../server/contract/time.ts'
import { chooseStreams, rotationOf, sourceFacts } from './facts.ts'
import type { ProbeJson, ProbeStream } from './probe-json.ts'
import { omitUndefined } from '../../../../server/contract/omit-undefined.ts'

const video: ProbeStream = {
  index: 0,
  codec_type: 'video',
  codec_name: 'h264',
  pix_fmt: 'yuv420p',
  width: 1920,
  height: 1080,
  r_frame_rate: '25/1',
  avg_frame_rate: '25/1',
  start_time: '1.5',
}
const audio: ProbeStream = {
  index: 1,
  codec_type: 'audio',
  codec_name: 'aac',
  channels: 6,
  sample_rate: '48000',
  start_time: '1.52',
}
const measured = { bytes: 10, durationSeconds: 60, frameTimes: [], warnings: [] }
const facts = (probe: ProbeJson) => sourceFacts(probe, chooseStreams(probe), measured)

describe('choosing streams', () => {
  const pick = (streams: ProbeStream[]) => {
    const chosen = chooseStreams({ streams })
    return [chosen.video?.index, chosen.audio?.index, chosen.audioStreams]
  }
  it('takes the default sound, else the first that is no commentary', () => {
    const second = { ...audio, index: 2 }
    expect(pick([video, audio, second])).toEqual([0, 1, 2])
    expect(pick([video, audio, { ...second, disposition: { default: 1 } }])).toEqual([0, 2, 2])
    expect(pick([{ ...audio, disposition: { default: 1, comment: 1 } }, second])).toEqual([undefined, 2, 2])
    expect(pick([{ ...audio, channels: 0 }])).toEqual([undefined, undefined, 0])
  })
  it('takes moving pictures: no cover, no lone image, the largest of several', () => {
    const cover = { ...video, index: 5, codec_name: 'mjpeg', disposition: { attached_pic: 1 } }
    const lone = { ...video, index: 6, codec_name: 'png', avg_frame_rate: '0/0' }
    const small = { ...video, index: 7, width: 640, height: 360 }
    expect(pick([cover, lone, audio])).toEqual([undefined, 1, 1])
    expect(pick([small, video])[0]).toBe(0)
    expect(pick([{ ...small, disposition: { default: 1 } }, video])[0]).toBe(7)
    expect(pick([{ ...video, codec_name: 'mjpeg' }])[0]).toBe(0)
  })
})

describe('facts', () => {
  it('counts times from the container’s start', () => {
    const made = facts({
      streams: [video, audio],
      format: { format_name: 'mov,mp4,m4a', start_time: '1.5', tags: { major_brand: 'qt  ' } },
      chapters: [
        { start_time: '1.5', end_time: '31.5', tags: { TITLE: 'One' } },
        { start_time: '31.5', end_time: '900' },
        { start_time: '5', end_time: '5' },
      ],
    })
    expect(made.container).toBe('mov')
    expect([made.video?.startTime, made.audio?.startTime]).toEqual([0, secondsToTicks(0.02)])
    expect(made.audio?.layout).toBe('6 channels')
    expect(made.chapters).toEqual([
      { start: 0, end: secondsToTicks(30), title: 'One' },
      { start: secondsToTicks(30), end: secondsToTicks(60), title: '' },
    ])
  })

  it.each([
    [{ side_data_list: [{ rotation: -90 }] }, 90],
    [{ side_data_list: [{ rotation: 90 }] }, 270],
    [{ side_data_list: [{ rotation: -180 }] }, 180],
    [{ tags: { rotate: '90' } }, 90],
    [{ side_data_list: [{}], tags: { rotate: '270' } }, 270],
    [{}, 0],
  ])('turns by %j', (more, rotation) => {
    expect(rotationOf({ ...video, ...more })).toEqual({ rotation, exact: true })
  })

  it('takes the first frame that was read for the picture’s start where the stream states an earlier one', () => {
    const read = { ...measured, frameTimes: [[9, 9.04]] }
    const late = { streams: [{ ...video, start_time: '5.0' }, audio], format: { start_time: '5.0' } }
    const made = sourceFacts(late, chooseStreams(late), read).video
    expect(made?.startTime).toBe(secondsToTicks(4))
    const stated = { ...late, streams: [{ ...video, start_time: '10.0' }, audio] }
    expect(sourceFacts(stated, chooseStreams(stated), read).video?.startTime).toBe(secondsToTicks(5))
  })

  it('warns of a picture that ends long before the sound', () => {
    const made = (duration: string) => facts({ streams: [{ ...video, start_time: '0', duration }, audio] })
    const ends = (duration: string) => made(duration).warnings
    expect([made('40').video?.endTime, made('58.5').video?.endTime]).toEqual([secondsToTicks(40), undefined])
    expect(ends('40')).toEqual([
      'The picture ends at 40 seconds and the sound at 60; after that the last picture stands still.',
    ])
    expect([ends('58.5'), facts({ streams: [{ ...video, duration: '40' }] }).warnings]).toEqual([[], []])
  })

  it('warns of a turn that is no quarter turn', () => {
    const made = facts({ streams: [{ ...video, side_data_list: [{ rotation: -85 }] }] })
    expect([made.video?.rotation, made.video?.width, made.warnings.length]).toEqual([90, 1080, 1])
  })

  it('shows odd pixels square, then turned', () => {
    const odd = { ...video, width: 1440, sample_aspect_ratio: '4:3' }
    expect(facts({ streams: [odd] }).video).toMatchObject({ codedWidth: 1440, width: 1920, height: 1080 })
    const turned = facts({ streams: [{ ...odd, tags: { rotate: '90' } }] }).video
    expect(turned).toMatchObject({ width: 1080, height: 1920 })
  })

  it.each([
    ['yuv420p10le', undefined, 'smpte2084', 10, true],
    ['p010le', undefined, 'arib-std-b67', 10, true],
    ['yuv422p12le', undefined, 'bt709', 12, false],
    ['yuv420p', undefined, undefined, 8, false],
    ['yuv444p', '8', 'bt709', 8, false],
  ])('%s is %s bits, HDR by its transfer', (pixels, raw, transfer, bits, hdr) => {
    const stream = {
      ...video,
      pix_fmt: pixels,
      ...omitUndefined({ bits_per_raw_sample: raw, color_transfer: transfer }),
    }
    expect(facts({ streams: [stream] }).video).toMatchObject({ bitsPerSample: bits, hdr })
  })

  it('keeps text captions, warns of pictures, says nothing of line 21', () => {
    const track = (index: number, codec: string): ProbeStream => ({
      index,
      codec_type: 'subtitle',
      codec_name: codec,
    })
    const made = facts({
      streams: [video, track(2, 'subrip'), track(3, 'hdmv_pgs_subtitle'), track(4, 'eia_608')],
    })
    expect(made.captions).toEqual([{ streamIndex: 2, codec: 'subrip', language: 'und', title: '' }])
    expect(made.warnings).toEqual([expect.stringContaining('hdmv_pgs_subtitle')])
    const forced = facts({ streams: [video, { ...track(2, 'ass'), disposition: { default: 1, forced: 1 } }] })
    expect(forced.captions).toEqual([
      { streamIndex: 2, codec: 'ass', language: 'und', title: '', forced: true },
    ])
  })
})
