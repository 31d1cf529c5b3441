#!/usr/bin/env bash
# k8s-check.sh [DIR]: builds every overlay and checks what comes out, offline: against the Kubernetes schemas (kubernetes-validate
# --strict) and against kube-score's rules. What cannot be installed here is said to be skipped. Exits with 1 on a finding.
set -euo pipefail
cd "$(dirname "$0")/.."
dir=${1:-$(mktemp -d)}
mkdir -p "$dir/bin"
export PATH="$dir/bin:$PATH"
if command -v kubectl > /dev/null; then build() { kubectl kustomize "$1"; }
elif command -v kustomize > /dev/null; then build() { kustomize build "$1"; }
else echo "skipped: neither kubectl nor kustomize is here"; exit 0; fi

validate=
if command -v kubernetes-validate > /dev/null; then validate=kubernetes-validate
elif python3 -m venv "$dir/venv" > /dev/null 2>&1 && "$dir/venv/bin/pip" -q install kubernetes-validate > /dev/null 2>&1; then validate="$dir/venv/bin/kubernetes-validate"
else echo "skipped: kubernetes-validate cannot be installed here"; fi
score=
if command -v kube-score > /dev/null; then score=kube-score
elif command -v go > /dev/null && GOBIN="$dir/bin" go install github.com/zegl/kube-score/cmd/kube-score@v1.20.0 > "$dir/go.log" 2>&1; then score="$dir/bin/kube-score"
else echo "skipped: kube-score cannot be installed here"; fi

failed=0
for overlay in k8s/overlays/*/; do
  name=$(basename "$overlay")
  build "$overlay" > "$dir/$name.yaml"
  if [ -n "$validate" ]; then
    if "$validate" --strict "$dir/$name.yaml" > "$dir/$name.log" 2>&1; then echo "$name: $(grep -c '^kind:' "$dir/$name.yaml") resources fit their schemas"
    else cat "$dir/$name.log"; failed=1; fi
  fi
  # Development's stores are one pod each without a budget or a limit of their own: production's rules are not for them.
  [ -n "$score" ] && [ "$name" != development ] || continue
  # Left out, each for a reason: a limit of processor time stalls event loops; a release's tag never moves, so its image need not be
  # pulled again; the image's user is 1000 (tests hold it); pods are spread by topology, not by anti-affinity.
  if "$score" score --output-format ci --ignore-container-cpu-limit --ignore-test container-image-pull-policy --ignore-test container-security-context-user-group-id \
    --ignore-test deployment-has-host-podantiaffinity "$dir/$name.yaml" > "$dir/$name.score" 2>&1; then echo "$name: kube-score finds nothing"
  else grep -v '^\[OK\]\|^\[SKIPPED\]' "$dir/$name.score"; failed=1; fi
done
exit $failed
