import { describe, expect, test } from 'vitest'
import { listArguments, localInputs } from './input.ts'

const LIST = ['-protocol_whitelist', 'file,pipe,fd']

test('an input that says nothing takes local files only, each one', () => {
  expect(localInputs(['-y', '-i', 'a.mp4', '-ss', '1', '-i', 'b.mp4', 'out.mp4'])).toEqual([
    '-y',
    ...LIST,
    '-i',
    'a.mp4',
    '-ss',
    '1',
    ...LIST,
    '-i',
    'b.mp4',
    'out.mp4',
  ])
})

test('an input that says so itself stays as it is, and does not speak for the next', () => {
  const own = ['-protocol_whitelist', 'file,pipe', '-i', 'a.mp4']
  expect(localInputs([...own, '-i', 'b.mp4', 'out.mp4'])).toEqual([...own, ...LIST, '-i', 'b.mp4', 'out.mp4'])
})

test('what ffprobe looks at is an input too', () => {
  expect(localInputs(['-show_format', 'file:a.mp4'])).toEqual(['-show_format', ...LIST, 'file:a.mp4'])
  expect(localInputs(['-version'])).toEqual(['-version'])
})

test('generated pictures are left alone', () => {
  const args = ['-f', 'lavfi', '-i', 'color=c=gray', 'out.mp4']
  expect(localInputs(args)).toEqual(args)
})

test.each(['http', 'file,http,tcp', 'concat,file', 'srt', 'file,subfile,crypto'])(
  'an input that would take %s is refused',
  (list) =>
    expect(() => localInputs(['-protocol_whitelist', list, '-i', 'x', 'out.mp4'])).toThrow(RangeError),
)

test('a relay on this machine is spoken to where the tool is to', () => {
  const args = ['-protocol_whitelist', 'srt', '-i', 'srt://127.0.0.1:9', 'out']
  expect(localInputs(args, 'loopback')).toEqual(args)
})

describe('listArguments', () => {
  test('splits the text at its spaces, and no value', () => {
    const file = 'file:/a folder/talk "1".mp4'
    expect(listArguments`
      -i ${file} -map 0:${1}? -b:v ${300}k
      -y
    `).toEqual(['-i', file, '-map', '0:1?', '-b:v', '300k', '-y'])
  })

  test('takes each entry of a list, an empty value, and joins what stands together', () => {
    expect(listArguments`${['-an', 'a b']} -af ${'pan=mono,'}atrim=1 ${[]} ${''}`).toEqual([
      '-an',
      'a b',
      '-af',
      'pan=mono,atrim=1',
      '',
    ])
  })
})
