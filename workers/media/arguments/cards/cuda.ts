import type { Card } from './card.ts'

export const cuda: Card = {
  name: 'cuda',
  title: 'NVIDIA (NVDEC, CUDA)',
  setting: 'nvenc',
  platforms: ['linux', 'win32'],
  hwaccel: 'cuda',
  filters: ['scale_cuda'],
  input: () => ['-hwaccel', 'cuda', '-hwaccel_output_format', 'cuda'],
  scale: ({ width, height }, format) =>
    `scale_cuda=w=${width}:h=${height}:interp_algo=bicubic:format=${format}`,
}
