import { HARDWARE_WAYS } from '../hardware-encoders.ts'
import type { Card } from './card.ts'

export const vaapi: Card = {
  name: 'vaapi',
  title: 'VAAPI',
  setting: 'vaapi',
  platforms: ['linux'],
  devices: HARDWARE_WAYS.vaapi.devices ?? [],
  hwaccel: 'vaapi',
  filters: ['scale_vaapi'],
  input: (device) => [
    '-hwaccel',
    'vaapi',
    ...(device === null ? [] : ['-hwaccel_device', device]),
    '-hwaccel_output_format',
    'vaapi',
  ],
  // Builds of 2018 name no way to scale, and drivers take their best by themselves.
  scale: ({ width, height }, format) =>
    `scale_vaapi=w=${width}:h=${height}:format=${format === 'nv12' ? 'nv12' : 'p010'}`,
}
