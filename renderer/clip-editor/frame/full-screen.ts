/** Shows a part of the page on the whole screen, or brings it back. */
export function toggleFullScreen(part: Element | null | undefined): void {
  if (document.fullscreenElement !== null) void document.exitFullscreen()
  // A browser may refuse it, as in a frame; then nothing changes.
  else part?.requestFullscreen().catch(() => undefined)
}
