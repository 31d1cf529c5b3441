import { useEffect, useState, type PointerEvent, type RefObject } from "react";
import { zoomed, type PictureView } from "./layout.ts";

/** The width of an element, as it changes. */
export function useWidth(element: RefObject<HTMLElement | null>, first: number): number {
  const [width, setWidth] = useState(first);
  useEffect(() => {
    const watcher = new ResizeObserver(([entry]) => setWidth(Math.round(entry!.contentRect.width)));
    watcher.observe(element.current!);
    return () => watcher.disconnect();
  }, [element]);
  return width;
}

export interface Moving {
  view: PictureView;
  isMoved: boolean;
  zoom(by: number): void;
  pan(across: number, down: number): void;
  reset(): void;
  /** For the picture itself: dragging moves it. */
  drag: {
    onPointerDown(event: PointerEvent<SVGSVGElement>): void;
    onPointerMove(event: PointerEvent<SVGSVGElement>): void;
    onPointerUp(): void;
    onPointerCancel(): void;
  };
}

/** How somebody has moved a picture, from the view in which all of it fits. */
export function useMoving(
  fit: PictureView,
  { width, height }: { width: number; height: number },
  picture: RefObject<SVGSVGElement | null>,
): Moving {
  const [moved, setMoved] = useState<PictureView>();
  const [grip, setGrip] = useState<{ x: number; y: number }>();
  const view = moved ?? fit;
  const pan = (across: number, down: number): void =>
    setMoved((now = fit) => ({ ...now, left: now.left + across, top: now.top + down }));
  useEffect(() => {
    const element = picture.current!;
    // The wheel scrolls the page unless the picture has the focus or Ctrl is held, as on maps.
    const onWheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && !element.contains(document.activeElement)) return;
      event.preventDefault();
      const { left, top } = element.getBoundingClientRect();
      const at = { x: event.clientX - left, y: event.clientY - top };
      setMoved((now = fit) => zoomed(now, Math.exp(-event.deltaY / 400), at));
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, [fit, picture]);
  return {
    view,
    isMoved: moved !== undefined,
    zoom: (by) => setMoved((now = fit) => zoomed(now, by, { x: width / 2, y: height / 2 })),
    pan,
    reset: () => setMoved(undefined),
    drag: {
      onPointerDown(event) {
        if (event.button !== 0 || (event.target as Element).closest("a")) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setGrip({ x: event.clientX, y: event.clientY });
      },
      onPointerMove({ clientX, clientY }) {
        if (!grip) return;
        pan(clientX - grip.x, clientY - grip.y);
        setGrip({ x: clientX, y: clientY });
      },
      onPointerUp: () => setGrip(undefined),
      onPointerCancel: () => setGrip(undefined),
    },
  };
}
