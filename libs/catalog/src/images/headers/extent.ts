/** Width and height in pixels, as the file stores them: before any turn that its metadata may ask for. */
export interface Extent {
  readonly width: number;
  readonly height: number;
}
