/** What a brand kit makes of workflows and of clips. PURE. */
import type { Branding, BrandKitLook } from '../../contract/branding.ts'
import { AppError } from '../../contract/errors.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import type { ResolvedNode } from '../../contract/run.ts'
import type { ClipEdit } from '../editing/clip-edit.ts'
import { deepMerge, own } from '../merge.ts'

/** What a kit has beside the fields of the node: they style what brings no style of its own. */
interface Basics {
  readonly text_color?: string
  readonly accent_color?: string
  readonly background_color?: string
  readonly font_url?: string
}

/** Fields that are set: a colour that is left out must not hide the one of a preset. */
const captionBasics = ({ text_color, accent_color, font_url }: Basics) =>
  omitUndefined({
    fontColor: text_color,
    amplifiedColor: accent_color,
    highlightColor: accent_color,
    fontUrl: font_url,
  })
const textBasics = ({ text_color, background_color, font_url }: Basics) =>
  omitUndefined({ fontColor: text_color, backgroundColor: background_color, fontUrl: font_url })

const over = <Config extends object>(basics: object, config: Config | undefined): Config =>
  ({ ...basics, ...config }) as Config

/**
 * The kit as the node's own fields. `hasTitle`: the clips have a headline already, which the kit's colours and font reach
 * even where the kit says nothing else of headlines; it brings none by colours alone.
 */
export function brandingOf(look: BrandKitLook, hasTitle: boolean): Branding {
  const { text_color, accent_color, background_color, font_url, ...branding } = look
  const basics = omitUndefined({ text_color, accent_color, background_color, font_url })
  const captions = over(captionBasics(basics), branding.subtitle_config)
  const title = over(textBasics(basics), branding.title_config)
  const { lower_third: names } = branding
  return {
    ...branding,
    ...(Object.keys(captions).length === 0 ? {} : { subtitle_config: captions }),
    ...(Object.keys(title).length > 0 && (hasTitle || branding.title_config !== undefined)
      ? { title_config: title }
      : {}),
    ...(names === undefined ? {} : { lower_third: over(textBasics(basics), names) }),
  }
}

/**
 * The nodes with each named kit put into the node that names it; what the node sets goes over it. Throws
 * INVALID_NODE_CONFIG for a kit that `lookOf` does not know.
 */
export function withBrandKits(
  nodes: readonly ResolvedNode[],
  lookOf: (id: string) => BrandKitLook | null,
): ResolvedNode[] {
  const hasTitle = nodes.some(({ type, enabled }) => type === 'add_title_overlay' && enabled)
  return nodes.map((node) => {
    const id = node.type === 'apply_branding' && node.enabled ? own(node.config, 'brand_kit_id') : undefined
    if (typeof id !== 'string' || id === '') return node
    const look = lookOf(id)
    if (look === null)
      throw new AppError('INVALID_NODE_CONFIG', {
        message:
          'The brand kit of this workflow is not there any more. Choose another one in “Apply branding”.',
        details: { nodeType: node.type, path: 'brand_kit_id', expected: 'the id of a brand kit' },
      })
    return { ...node, config: deepMerge(brandingOf(look, hasTitle), node.config) }
  })
}

/** What a headline says stays with the clip; how it looks is the brand's. */
const TITLE_WORDS = ['enabled', 'text', 'prompt', 'generateTitle'] as const

const shows = (config: Readonly<Record<string, unknown>>): boolean =>
  Object.keys(config).length > 0 && config['enabled'] !== false

/**
 * A clip in this brand: what the kit sets takes the place of what the clip has, and the rest stays. The words of a headline
 * stay, and a clip without captions gets none. What another brand has drawn on it (`hasBranding`) goes.
 */
export function brandedEdit(
  edit: ClipEdit,
  look: BrandKitLook,
  { hasCaptions, hasBranding }: { readonly hasCaptions: boolean; readonly hasBranding: boolean },
): ClipEdit {
  const { subtitle_config, title_config, watermark_config, background_music_option, ...others } = brandingOf(
    look,
    shows(edit.titleConfig),
  )
  const {
    outro_card_url: outro,
    outro_music_url,
    overlay_url,
    intro_url,
    intro_seconds,
    lower_third,
  } = others
  const words = Object.fromEntries(
    TITLE_WORDS.flatMap((name) => (name in edit.titleConfig ? [[name, edit.titleConfig[name]]] : [])),
  )
  const drawn = omitUndefined({ outro_music_url, overlay_url, intro_url, intro_seconds, lower_third })
  return {
    ...edit,
    ...(subtitle_config === undefined || !hasCaptions
      ? {}
      : { subtitleConfig: styledBy(subtitle_config, edit.subtitleConfig) }),
    ...(title_config === undefined ? {} : { titleConfig: { ...title_config, ...words } }),
    ...(watermark_config === undefined ? {} : { watermarkConfig: { ...watermark_config } }),
    ...(background_music_option === undefined
      ? {}
      : { backgroundMusicOption: { ...background_music_option } }),
    ...(outro === undefined ? {} : { endCardOption: { url: outro } }),
    ...(Object.keys(drawn).length === 0 && !hasBranding
      ? {}
      : { nodes: { ...edit.nodes, apply_branding: { enabled: true, config: drawn } } }),
  }
}

/** A caption style of the kit replaces the clip's; colours and a font alone go over it. */
function styledBy(
  captions: NonNullable<Branding['subtitle_config']>,
  before: ClipEdit['subtitleConfig'],
): ClipEdit['subtitleConfig'] {
  if (captions.styleId === undefined) return { ...before, ...captions }
  return 'enabled' in before ? { ...captions, enabled: before['enabled'] } : { ...captions }
}
