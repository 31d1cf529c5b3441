declare module "*.opml" {
  const text: string;
  export default text;
}
