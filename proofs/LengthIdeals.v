(* The ideal of LNDCG: spec/length.md.  Where the greatest LDCG is, and where eq. 7 has it. *)
Require Import Reals Lra Lia List Permutation Sorted Psatz ZArith.
From Rankspec Require Import Numbers Gain Ties Dcg Length.
Import ListNotations.
Open Scope R_scope.

(** What the laws say of the discount and the prior *)
Definition regular (d w : nat -> R) :=
  falls d /\ nonneg d /\ falls w /\ nonneg w /\ 0 < d 1%nat /\ 0 < w 1%nat.

(** * Blocks of equal gains f(i), by rank *)

Definition partial (d f : nat -> R) n := sum_to (fun i => f i * d i) n.
Definition ratio d w f n := partial d f n / S_of w d n.
(** The gain of rank n is at least w(n) times the ratio. *)
Definition at_least_ratio d w f n := w n * partial d f n <= f n * S_of w d n \/ d n = 0.

Lemma regular_pos d w n : regular d w -> (1 <= n)%nat -> 0 < S_of w d n.
Proof. intros (F & D & G & W & D1 & W1) N; apply S_of_pos; assumption. Qed.
Lemma partial_nonneg d f n : nonneg d -> nonneg f -> 0 <= partial d f n.
Proof. intros D F; apply sum_to_nonneg; intros i I; apply Rmult_le_pos; [apply F|apply D]; lia. Qed.
Lemma ratio_le d w f n m : regular d w -> (1 <= n)%nat -> (1 <= m)%nat ->
  (ratio d w f n <= ratio d w f m <-> partial d f n * S_of w d m <= partial d f m * S_of w d n).
Proof.
  intros H N M; pose proof (regular_pos d w n H N); pose proof (regular_pos d w m H M).
  unfold ratio; rewrite div_le by assumption.
  replace (partial d f m / S_of w d m * S_of w d n)
    with (partial d f m * S_of w d n / S_of w d m) by (field; lra); apply le_div; assumption.
Qed.
Lemma at_least_first d w f : at_least_ratio d w f 1.
Proof. left; unfold partial, S_of; cbn; lra. Qed.
Lemma zero_after d n : falls d -> nonneg d -> (1 <= n)%nat -> d n = 0 -> d (S n) = 0.
Proof. intros F D N E; pose proof (F n N); pose proof (D (S n) ltac:(lia)); lra. Qed.
(** A step that does not lower the ratio ... *)
Lemma at_least_step d w f n : regular d w -> (1 <= n)%nat ->
  ratio d w f n <= ratio d w f (S n) -> at_least_ratio d w f (S n).
Proof.
  intros H N L; apply ratio_le in L; [|assumption|assumption|lia].
  destruct H as (F & D & G & W & D1 & W1); unfold at_least_ratio, partial, S_of in *;
  cbn [sum_to] in *.
  fold (S_of w d n) in *; fold (partial d f n) in *; pose proof (D (S n) ltac:(lia)).
  destruct (Req_dec (d (S n)) 0) as [|P]; [right; assumption|left].
  assert (d (S n) * (w (S n) * partial d f n) <= d (S n) * (f (S n) * S_of w d n)) as X by lra.
  apply Rmult_le_reg_l in X; lra.
Qed.
(** ... and what follows from it, within a block *)
Lemma at_least_next d w f n : regular d w -> nonneg f -> (1 <= n)%nat -> f (S n) = f n ->
  at_least_ratio d w f n ->
  at_least_ratio d w f (S n) /\ ratio d w f n <= ratio d w f (S n).
Proof.
  intros H P N E L; rewrite ratio_le by (assumption || lia).
  destruct H as (F & D & G & W & D1 & W1); pose proof (partial_nonneg d f n D P).
  unfold at_least_ratio, partial, S_of in *; cbn [sum_to]; fold (S_of w d n) in *;
  fold (partial d f n) in *; rewrite E.
  destruct L as [L|L]; [|rewrite (zero_after d n F D N L); split; [auto|lra]].
  pose proof (G n N); pose proof (D (S n) ltac:(lia)).
  assert (w (S n) * partial d f n <= f n * S_of w d n) as X by
    (apply Rle_trans with (w n * partial d f n); [apply Rmult_le_compat_r|]; assumption).
  split; [left; lra|]; apply (Rmult_le_compat_l (d (S n))) in X; lra.
Qed.
(** The ratio is nowhere higher than at the end of some block of positive gain. *)
Lemma end_of_block d w f n N : regular d w -> nonneg f -> falls f -> 0 < f 1%nat ->
  (1 <= N <= n)%nat -> exists E, (1 <= E <= n)%nat /\ ratio d w f N <= ratio d w f E /\ 0 < f E /\
  (E = n \/ f (S E) < f E).
Proof.
  intros H P F F1.
  assert (forall k N, (1 <= N)%nat -> n = (N + k)%nat -> at_least_ratio d w f N -> 0 < f N ->
    exists E, (N <= E <= n)%nat /\ ratio d w f N <= ratio d w f E /\ 0 < f E /\
    (E = n \/ f (S E) < f E)) as up.
  { induction k as [|k IH]; intros m A B L Q; [exists m; repeat split; try lia; try lra; left;
    lia|].
    destruct (Rlt_dec (f (S m)) (f m)) as [J|J];
      [exists m; repeat split; try lia; try lra; right; assumption|].
    assert (f (S m) = f m) as E by (pose proof (F m A); lra).
    destruct (at_least_next d w f m H P A E L) as [L' R'].
    destruct (IH (S m) ltac:(lia) ltac:(lia) L' ltac:(lra)) as (X & X1 & X2 & X3 & X4).
    exists X; repeat split; lia || lra || assumption. }
  destruct N as [|N]; [lia|]; induction N as [|N IH]; intros I.
  - destruct (up (n - 1)%nat 1%nat ltac:(lia) ltac:(lia) (at_least_first d w f) F1)
      as (E & X); exists E; split; [lia|tauto].
  - specialize (IH ltac:(lia)); destruct IH as (E & E1 & E2 & E3 & E4).
    destruct (Rle_dec (ratio d w f (S N)) (ratio d w f (S (S N)))) as [L|L];
      [|exists E; repeat split; lia || lra || assumption].
    pose proof (P (S (S N)) ltac:(lia)); destruct (Req_dec (f (S (S N))) 0) as [Z|Z].
    + exists E; repeat split; try lia; try lra; [|assumption].
      apply Rle_trans with (ratio d w f (S N)); [|assumption]; apply ratio_le; [assumption|lia..|].
      unfold partial; cbn [sum_to]; rewrite Z, Rmult_0_l, Rplus_0_r.
      apply Rmult_le_compat_l; [apply (partial_nonneg d f (S N)); [apply H|assumption]|].
      destruct H as (_ & D & _ & W & _); unfold S_of; cbn [sum_to].
      pose proof (D (S (S N)) ltac:(lia)); pose proof (W (S (S N)) ltac:(lia)); nra.
    + destruct (up (n - S (S N))%nat (S (S N)) ltac:(lia) ltac:(lia)
        (at_least_step d w f (S N) H ltac:(lia) L) ltac:(lra)) as (X & X1).
      exists X; split; [lia|tauto].
Qed.

(** * Items of a label of at least rho *)

Definition at_least rho J := length (filter (fun x => if Rle_dec rho x then true else false) J).
(** C(rho): the smaller of M and their number *)
Definition shown M rho J := Nat.min M (at_least rho J).

Lemma at_least_perm rho J J' : Permutation J J' -> at_least rho J = at_least rho J'.
Proof. unfold at_least; induction 1; cbn; auto; repeat destruct (Rle_dec _ _); cbn; lia. Qed.
Lemma at_least_length rho J : (at_least rho J <= length J)%nat.
Proof. unfold at_least; induction J; cbn; [lia|]; destruct (Rle_dec _ _); cbn; lia. Qed.
Lemma at_least_ranks rho l i : StronglySorted Rge l -> (1 <= i)%nat ->
  ((i <= at_least rho l)%nat <-> (i <= length l)%nat /\ rho <= at_rank l i).
Proof.
  unfold at_least, at_rank; intros H; revert i; induction H as [|x l H IH A]; intros i I;
  [cbn; lia|]; cbn [filter]; destruct (Rle_dec rho x) as [L|L]; cbn [length].
  - destruct i as [|[|i]]; [lia|cbn; split; [lra || (split; [lia|assumption])|lia]|].
    specialize (IH (S i) ltac:(lia)); replace (S (S i) - 1)%nat with (S (S i - 1)) by lia;
    cbn [nth]; rewrite <- Nat.succ_le_mono, IH; intuition lia.
  - assert (filter (fun x => if Rle_dec rho x then true else false) l = []) as ->.
    { clear - A L; induction A as [|y l Y A IH]; [reflexivity|]; cbn.
      destruct (Rle_dec rho y); [lra|assumption]. }
    split; cbn [length]; [lia|]; intros [B C]; exfalso; apply L, Rle_trans with (1 := C).
    destruct i as [|[|i]]; [lia|cbn; lra|]; replace (S (S i) - 1)%nat with (S i) by lia;
    cbn [nth]; rewrite Forall_forall in A; apply Rge_le, A, nth_In; cbn in B; lia.
Qed.
Lemma at_least_ideal rho J i : (1 <= i)%nat ->
  ((i <= at_least rho J)%nat <-> (i <= length J)%nat /\ rho <= at_rank (ideal J) i).
Proof.
  intros I; pose proof (DCG_4_L1 J) as P; rewrite (at_least_perm rho J _ P),
  (Permutation_length P); apply at_least_ranks; [apply ideal_falls|assumption].
Qed.
(** The end of a block of labels, or M, is C of its label. *)
Lemma shown_end M J E : (1 <= E <= Nat.min M (length J))%nat ->
  E = Nat.min M (length J) \/ at_rank (ideal J) (S E) < at_rank (ideal J) E ->
  shown M (at_rank (ideal J) E) J = E.
Proof.
  intros I H; set (rho := at_rank (ideal J) E); unfold shown.
  assert (E <= at_least rho J)%nat by (apply at_least_ideal; [lia|]; unfold rho; split; [lia|lra]).
  destruct H as [H|H]; [pose proof (at_least_length rho J); lia|].
  enough (~ (S E <= at_least rho J)%nat) by lia; intros X; apply at_least_ideal in X; [|lia].
  unfold rho in X; lra.
Qed.
Lemma ideal_In J i : (1 <= i <= length J)%nat -> In (at_rank (ideal J) i) J.
Proof.
  intros I; pose proof (DCG_4_L1 J) as P; eapply Permutation_in; [symmetry; exact P|].
  apply nth_In; rewrite <- (Permutation_length P); lia.
Qed.
Lemma in_ideal_below J m rest x : ideal J = m :: rest -> In x J -> x <= m.
Proof.
  intros E X; pose proof (ideal_falls J) as T; eapply Permutation_in in X; [|apply DCG_4_L1].
  rewrite E in T, X; destruct X as [->|X]; [lra|]; inversion T as [|? ? _ G].
  rewrite Forall_forall in G; specialize (G x X); lra.
Qed.
Lemma count_highest J m rest : ideal J = m :: rest -> count m J = at_least m J.
Proof.
  intros E; pose proof (in_ideal_below J m rest) as L; specialize (fun x => L x E).
  unfold count, at_least; clear E; induction J as [|x J IH]; [reflexivity|]; cbn.
  specialize (L x (or_introl eq_refl)) as Lx; assert (forall y, In y J -> y <= m) as L' by
    (intros; apply L; right; assumption); specialize (IH L').
  destruct (Req_EM_T x m), (Rle_dec m x); cbn; lra || lia.
Qed.

(** A gain that does not fall with the label *)
Definition rises (g : R -> R) := forall x y, x <= y -> g x <= g y.

Lemma ideal_map g J : rises g -> ideal (map g J) = map g (ideal J).
Proof.
  intros G; unfold ideal at 1; rewrite (best_of_perm _ (map g (ideal J))) by
    (apply Permutation_map, DCG_4_L1).
  apply best_sorted; pose proof (ideal_falls J) as S; induction S as [|x l S IH A]; cbn;
  constructor; [assumption|]; apply Forall_map; eapply Forall_impl; [|exact A]; cbn; intros y Y.
  apply Rle_ge, G; lra.
Qed.
Lemma at_rank_map g l i : (1 <= i <= length l)%nat -> at_rank (map g l) i = g (at_rank l i).
Proof.
  intros I; unfold at_rank; rewrite (nth_indep _ 0 (g 0)) by (rewrite map_length; lia);
  apply map_nth.
Qed.

(** * The ideal of RS-LEN-7 *)

(** Q(N) = IDCG@N / S(N) *)
Definition Q d w J N := idcg N d J / S_of w d N.

Lemma Q_ratio d w J N : Q d w J N = ratio d w (at_rank (ideal J)) N.
Proof. unfold Q, ratio, idcg; rewrite dcg_sum; reflexivity. Qed.
Lemma quotient_Q z d w J N : regular d w -> 0 < z -> (1 <= N)%nat ->
  quotient (idcg N d J) (z * S_of w d N) = / z * Q d w J N.
Proof.
  intros H Z N1; pose proof (regular_pos d w N H N1); unfold quotient, Q.
  destruct (Rlt_dec _ _) as [|X]; [field; lra|exfalso; apply X; apply Rmult_lt_0_compat; lra].
Qed.
Lemma Q_le_ideal M d w J N : regular d w -> (1 <= N <= Nat.min M (length J))%nat ->
  Q d w J N <= ildcg 1 M d w J.
Proof.
  intros H I; unfold ildcg; eapply Rle_trans; [|apply (max_to_ge _ _ N I)]; cbn beta.
  rewrite quotient_Q by (assumption || lra || lia); right; field.
Qed.
Lemma Q_nonneg d w J N : regular d w -> Forall (Rle 0) J -> (1 <= N)%nat -> 0 <= Q d w J N.
Proof. intros H A N1; apply div_nonneg; [apply idcg_nonneg; [apply H|assumption]|].
  apply regular_pos; assumption. Qed.
Lemma ildcg_is_Q M d w J : regular d w -> Forall (Rle 0) J -> (1 <= Nat.min M (length J))%nat ->
  exists N, (1 <= N <= Nat.min M (length J))%nat /\ ildcg 1 M d w J = Q d w J N.
Proof.
  intros H A I; destruct (max_to_is (fun N => quotient (idcg N d J) (1 * S_of w d N))
    (Nat.min M (length J))) as [E|(N & K & E)]; fold (ildcg 1 M d w J) in E.
  - exists 1%nat; split; [lia|]; rewrite E; apply Rle_antisym; [apply Q_nonneg; auto|].
    rewrite <- E; apply Q_le_ideal; [assumption|lia].
  - exists N; split; [assumption|]; rewrite E, quotient_Q by (assumption || lra || lia); field.
Qed.

(** RS-LEN-7/L2: within a block Q first falls, then does not fall: after a step that does not lower
    it the next one does not either ... *)
Theorem LEN_7_L2 d w J a b N : regular d w -> Forall (Rle 0) J ->
  (forall i, (a < i <= b)%nat -> at_rank (ideal J) i = at_rank (ideal J) b) ->
  (a < N < b)%nat -> (2 <= N)%nat -> Q d w J (N - 1) <= Q d w J N -> Q d w J N <= Q d w J (S N).
Proof.
  intros H A B I N2; rewrite !Q_ratio; destruct N as [|[|N]]; [lia..|].
  replace (S (S N) - 1)%nat with (S N) by lia; intros L.
  apply at_least_next; [assumption| |lia| |apply at_least_step; [assumption|lia|assumption]].
  - intros i _; apply at_rank_nonneg, ideal_nonneg; assumption.
  - transitivity (at_rank (ideal J) b); [|symmetry]; apply B; lia.
Qed.
(** RS-LEN-7/L2: ... the first block begins with Q(1) = g / w(1) and never falls ... *)
Theorem LEN_7_L2_first d w J b N : regular d w -> Forall (Rle 0) J ->
  (forall i, (1 <= i <= b)%nat -> at_rank (ideal J) i = at_rank (ideal J) b) ->
  (1 <= N < b)%nat ->
  Q d w J 1 = at_rank (ideal J) 1 / w 1%nat /\ Q d w J N <= Q d w J (S N).
Proof.
  intros H A B I; split.
  { rewrite Q_ratio; destruct H as (_ & _ & _ & _ & D1 & W1); unfold ratio, partial, S_of; cbn.
    field; lra. }
  assert (nonneg (at_rank (ideal J))) as P by
    (intros i _; apply at_rank_nonneg, ideal_nonneg; assumption).
  rewrite !Q_ratio; enough (at_least_ratio d w (at_rank (ideal J)) N) by
    (apply at_least_next; [assumption|assumption|lia|rewrite (B N), (B (S N)) by lia;
      reflexivity|assumption]).
  destruct I as [I J2]; induction I as [|N I IH]; [apply at_least_first|].
  apply at_least_next; [assumption|assumption|lia|rewrite (B N), (B (S N)) by lia; reflexivity|].
  apply IH; lia.
Qed.
(** For labels with a gain: the maximum is at C(rho) for a label rho of positive gain. *)
Lemma attained M d w g J m rest : regular d w -> rises g -> Forall (fun x => 0 <= g x) J ->
  (1 <= M)%nat -> ideal J = m :: rest -> 0 < g m ->
  exists rho, In rho J /\ 0 < g rho /\ (1 <= shown M rho J <= Nat.min M (length J))%nat /\
  ildcg 1 M d w (map g J) = Q d w (map g J) (shown M rho J).
Proof.
  intros H G A HM E P; assert (length J = S (length rest)) as L by
    (rewrite (Permutation_length (DCG_4_L1 J)), E; reflexivity).
  assert (Forall (Rle 0) (map g J)) as A' by (apply Forall_map; assumption).
  destruct (ildcg_is_Q M d w (map g J) H A') as (N & I & EN); rewrite map_length in *; [lia|].
  set (f := at_rank (ideal (map g J))).
  assert (forall i, (1 <= i <= length J)%nat -> f i = g (at_rank (ideal J) i)) as fi.
  { intros i Hi; unfold f; rewrite ideal_map by assumption; apply at_rank_map.
    rewrite <- (Permutation_length (DCG_4_L1 J)); assumption. }
  assert (0 < f 1%nat) as f1 by (rewrite fi by lia; rewrite E; exact P).
  destruct (end_of_block d w f (Nat.min M (length J)) N H) as (X & X1 & X2 & X3 & X4); auto.
  - intros i _; apply at_rank_nonneg, ideal_nonneg; assumption.
  - apply ideal_rank_falls; assumption.
  - assert (shown M (at_rank (ideal J) X) J = X) as EX.
    { apply shown_end; [assumption|]; destruct (Nat.eq_dec X (Nat.min M (length J))) as [Y|Y];
      [left; assumption|right]; destruct X4 as [X4|X4]; [contradiction|].
      apply Rnot_le_lt; intros Z; apply G in Z; rewrite <- !fi in Z by lia; lra. }
    exists (at_rank (ideal J) X); rewrite EX, <- fi by lia; repeat split; try lia; try lra.
    + apply ideal_In; lia.
    + apply Rle_antisym; [rewrite EN, !Q_ratio; exact X2|].
      apply Q_le_ideal; [assumption|rewrite map_length; assumption].
Qed.
Lemma idcg_zero d g J m rest N : Forall (fun x => 0 <= g x) J -> rises g -> ideal J = m :: rest ->
  g m = 0 -> idcg N d (map g J) = 0.
Proof.
  intros A G E g0; unfold idcg; rewrite dcg_sum; apply sum_to_zero; intros i Hi; unfold at_rank.
  destruct (nth_in_or_default (i - 1) (ideal (map g J)) 0) as [X|X]; [|rewrite X; ring].
  eapply Permutation_in in X; [|symmetry; apply DCG_4_L1]; apply in_map_iff in X.
  destruct X as (x & <- & X); rewrite Forall_forall in A; pose proof (A x X).
  pose proof (G x m (in_ideal_below J m rest x E X)); replace (g x) with 0 by lra; ring.
Qed.
(** RS-LEN-7/L2: ... so the maximum is attained where all items of label >= rho are shown, for some
    label rho of J, cut at M *)
Theorem LEN_7_L2_attained z M d w g J : regular d w -> rises g -> Forall (fun x => 0 <= g x) J ->
  (1 <= M)%nat -> J <> [] -> 0 < z -> exists rho, In rho J /\ let C := shown M rho J in
  ildcg z M d w (map g J) = idcg C d (map g J) / (z * S_of w d C).
Proof.
  intros H G A HM NE Z; destruct (ideal J) as [|m rest] eqn:E.
  { pose proof (DCG_4_L1 J) as P; rewrite E in P; apply Permutation_sym, Permutation_nil in P.
    contradiction. }
  assert (In m J) as I by (eapply Permutation_in; [symmetry; apply DCG_4_L1|rewrite E; left;
    reflexivity]).
  assert (forall N, (1 <= N)%nat -> / z * Q d w (map g J) N = idcg N d (map g J) / (z * S_of w d N))
    as back.
  { intros N N1; pose proof (regular_pos d w N H N1); unfold Q; field; lra. }
  destruct (Req_dec (g m) 0) as [g0|g0].
  - pose proof (fun N => idcg_zero d g J m rest N A G E g0) as zero.
    exists m; split; [assumption|]; cbn; rewrite zero; unfold Rdiv; rewrite Rmult_0_l.
    unfold ildcg; apply Rle_antisym; [|apply max_to_nonneg]; apply max_to_le; [lra|]; intros N _.
    rewrite zero; unfold quotient; destruct (Rlt_dec _ _); unfold Rdiv; lra.
  - rewrite Forall_forall in A; pose proof (A m I); rewrite <- Forall_forall in A.
    destruct (attained M d w g J m rest H G A HM E ltac:(lra)) as (rho & R1 & _ & R3 & R4).
    exists rho; split; [assumption|]; cbn; rewrite ildcg_z, R4 by assumption; apply back; lia.
Qed.

(** * Where eq. 7 has the maximum *)

Lemma at_rank_ideal_map g J i : rises g -> (1 <= i <= length J)%nat ->
  at_rank (ideal (map g J)) i = g (at_rank (ideal J) i).
Proof.
  intros G I; rewrite ideal_map by assumption; apply at_rank_map.
  rewrite <- (Permutation_length (DCG_4_L1 J)); assumption.
Qed.
Lemma highest_first J m rest i : ideal J = m :: rest -> (1 <= i <= count m J)%nat ->
  at_rank (ideal J) i = m.
Proof.
  intros E I; rewrite (count_highest J m rest E) in I.
  destruct (proj1 (at_least_ideal m J i ltac:(lia)) ltac:(lia)) as [L H].
  pose proof (in_ideal_below J m rest _ E (ideal_In J i ltac:(lia))); lra.
Qed.
Lemma highest_count J m rest : ideal J = m :: rest -> (1 <= count m J <= length J)%nat.
Proof.
  intros E; rewrite (count_highest J m rest E); split; [|apply at_least_length].
  apply at_least_ideal; [lia|]; rewrite E, (Permutation_length (DCG_4_L1 J)), E; cbn.
  split; [lia|lra].
Qed.
(** Without Z, eq. 7 has Q(R). *)
Lemma eq7_is_Q M d w g J m rest : regular d w -> rises g -> (1 <= M)%nat -> ideal J = m :: rest ->
  ildcg_eq7 1 M d w g J = Q d w (map g J) (Nat.min M (count m J)).
Proof.
  intros H G HM E; pose proof (highest_count J m rest E) as C; unfold ildcg_eq7; rewrite E.
  set (R := Nat.min M (count m J)); pose proof (regular_pos d w R H ltac:(unfold R; lia)).
  unfold quotient, Q; destruct (Rlt_dec _ _) as [_|X]; [|exfalso; lra]; f_equal; [|ring].
  unfold idcg; rewrite dcg_sum, <- sum_to_scale; apply sum_to_ext; intros i I.
  rewrite at_rank_ideal_map, (highest_first J m rest) by (assumption || unfold R in *; lia).
  reflexivity.
Qed.
Lemma eq7_z z M d w g J : 0 < z -> ildcg_eq7 z M d w g J = / z * ildcg_eq7 1 M d w g J.
Proof.
  intros P; unfold ildcg_eq7; destruct (ideal J) as [|m rest]; [ring|]; unfold quotient.
  rewrite Rmult_1_l; set (s := S_of _ _ _).
  destruct (Rlt_dec 0 (z * s)), (Rlt_dec 0 s); try (exfalso; nra); [field; lra|ring].
Qed.
Lemma split_sum f a b : (a <= b)%nat -> sum_to f b = sum_to f a + sum_to (shift a f) (b - a).
Proof. intros L; rewrite <- sum_to_split; f_equal; lia. Qed.
(** Q(C) <= Q(R), multiplied crosswise *)
Lemma boundary d w g J m rest R C : regular d w -> rises g -> 0 < g m -> ideal J = m :: rest ->
  (1 <= R <= count m J)%nat -> (R <= C <= length J)%nat ->
  (Q d w (map g J) C <= Q d w (map g J) R <->
   sum_to (shift R (fun i => g (at_rank (ideal J) i) / g m * d i)) (C - R) <=
   sum_to d R / S_of w d R * (S_of w d C - S_of w d R)).
Proof.
  intros H G P E HR HC; rewrite !Q_ratio, ratio_le by (assumption || lia).
  set (f := at_rank (ideal (map g J))); set (h := fun i => g (at_rank (ideal J) i) / g m * d i).
  pose proof (regular_pos d w R H ltac:(lia)) as SR.
  assert (forall n, (n <= length J)%nat -> partial d f n = g m * sum_to h n) as X.
  { intros n L; unfold partial; rewrite <- sum_to_scale; apply sum_to_ext; intros i I; unfold h, f.
    rewrite at_rank_ideal_map by (assumption || lia); field; lra. }
  assert (sum_to h R = sum_to d R) as Y.
  { apply sum_to_ext; intros i I; unfold h; rewrite (highest_first J m rest) by (assumption || lia).
    field; lra. }
  rewrite !X, (split_sum h R C), Y by lia; set (s := sum_to (shift R h) (C - R)).
  replace (sum_to d R / S_of w d R * (S_of w d C - S_of w d R))
    with (sum_to d R * (S_of w d C - S_of w d R) / S_of w d R) by (field; lra).
  rewrite le_div by assumption; split; intros L.
  - apply (Rmult_le_reg_l (g m)); [assumption|]; lra.
  - apply (Rmult_le_compat_l (g m)) in L; lra.
Qed.
(** RS-LEN-8/L2: "eq7" and "true" agree if and only if for every label rho < m of J the gains of the
    ranks R + 1, ..., C(rho), over g(m), add at most D(R)/S(R) (S(C) - S(R)) ... *)
Theorem LEN_8_L2 z M d w g J m rest : regular d w -> rises g -> Forall (fun x => 0 <= g x) J ->
  (1 <= M)%nat -> 0 < z -> ideal J = m :: rest -> 0 < g m -> let R := Nat.min M (count m J) in
  (ildcg_eq7 z M d w g J = ildcg z M d w (map g J) <->
   forall rho, In rho J -> rho < m -> let C := shown M rho J in
   sum_to (shift R (fun i => g (at_rank (ideal J) i) / g m * d i)) (C - R) <=
   sum_to d R / S_of w d R * (S_of w d C - S_of w d R)).
Proof.
  intros H G A HM Z E P R; pose proof (highest_count J m rest E) as CJ.
  assert (forall rho, In rho J -> rho <= m -> (1 <= R <= shown M rho J)%nat /\
    (R <= count m J)%nat /\ (shown M rho J <= Nat.min M (length J))%nat) as CR.
  { intros rho I L; unfold R, shown; pose proof (at_least_length rho J).
    enough (count m J <= at_least rho J)%nat by lia; apply at_least_ideal; [lia|].
    rewrite (highest_first J m rest) by (assumption || lia); split; [lia|assumption]. }
  assert (ildcg_eq7 z M d w g J = ildcg z M d w (map g J) <->
    Q d w (map g J) R = ildcg 1 M d w (map g J)) as ->.
  { rewrite eq7_z, ildcg_z, (eq7_is_Q M d w g J m rest) by assumption; fold R; split;
    [|intros ->; reflexivity]; intros X; apply Rmult_eq_reg_l in X; [exact X|].
    apply Rinv_neq_0_compat; lra. }
  split.
  - intros X rho I L C; destruct (CR rho I ltac:(lra)) as (C1 & C2 & C3).
    apply (boundary d w g J m rest); try assumption; try lia; rewrite X.
    apply Q_le_ideal; [assumption|]; rewrite map_length; fold C in C1, C3; lia.
  - intros X; apply Rle_antisym; [apply Q_le_ideal; [assumption|rewrite map_length; lia]|].
    destruct (attained M d w g J m rest H G A HM E P) as (rho & R1 & _ & R3 & ->).
    destruct (Rlt_dec rho m) as [L|L].
    + destruct (CR rho R1 ltac:(lra)) as (C1 & C2 & C3).
      apply (boundary d w g J m rest); try assumption; try lia; apply X; assumption.
    + replace rho with m by (pose proof (in_ideal_below J m rest rho E R1); lra).
      unfold shown; rewrite <- (count_highest J m rest E); apply Rle_refl.
Qed.
(** RS-LEN-8/L2: ... labels without a gain need not be looked at *)
Theorem LEN_8_L2_gains z M d w g J m rest : regular d w -> rises g ->
  Forall (fun x => 0 <= g x) J ->
  (1 <= M)%nat -> 0 < z -> ideal J = m :: rest -> 0 < g m -> let R := Nat.min M (count m J) in
  (ildcg_eq7 z M d w g J = ildcg z M d w (map g J) <->
   forall rho, In rho J -> rho < m -> 0 < g rho -> let C := shown M rho J in
   sum_to (shift R (fun i => g (at_rank (ideal J) i) / g m * d i)) (C - R) <=
   sum_to d R / S_of w d R * (S_of w d C - S_of w d R)).
Proof.
  intros H G A HM Z E P R; split.
  - intros X rho I L _; apply (proj1 (LEN_8_L2 z M d w g J m rest H G A HM Z E P) X); assumption.
  - intros X; pose proof (highest_count J m rest E) as CJ.
    rewrite eq7_z, ildcg_z, (eq7_is_Q M d w g J m rest) by assumption; fold R; f_equal.
    apply Rle_antisym; [apply Q_le_ideal; [assumption|rewrite map_length; lia]|].
    destruct (attained M d w g J m rest H G A HM E P) as (rho & R1 & R2 & R3 & ->).
    destruct (Rlt_dec rho m) as [L|L].
    + apply (boundary d w g J m rest); try assumption; try lia; [|apply X; assumption].
      split; [|lia]; unfold R, shown.
      enough (count m J <= at_least rho J)%nat by lia; apply at_least_ideal; [lia|].
      rewrite (highest_first J m rest) by (assumption || lia); split; [lia|lra].
    + replace rho with m by (pose proof (in_ideal_below J m rest rho E R1); lra).
      unfold shown; rewrite <- (count_highest J m rest E); apply Rle_refl.
Qed.

(** beta(R, C), which compares the mean weight of the ranks R + 1, ..., C with that of 1, ..., R *)
Definition beta d w R C :=
  (S_of w d C - S_of w d R) / (sum_to d C - sum_to d R) / (S_of w d R / sum_to d R).

Definition positive_to_end (f : nat -> R) := forall i, (1 <= i)%nat -> 0 < f i.
Lemma regular_positive d w : falls d -> falls w -> positive_to_end d -> positive_to_end w ->
  regular d w.
Proof.
  intros F G D W; repeat split; auto; try (apply D || apply W; lia);
  intros i I; [specialize (D i I)|specialize (W i I)]; lra.
Qed.
Lemma sum_to_less f a b : positive_to_end f -> (a < b)%nat -> sum_to f a < sum_to f b.
Proof.
  intros P L; apply Rlt_le_trans with (sum_to f (S a)); [cbn; specialize (P (S a) ltac:(lia));
    lra|].
  apply sum_to_more; [intro i; specialize (P (S i) ltac:(lia)); lra|lia].
Qed.
Lemma beta_parts d w R C : positive_to_end d -> positive_to_end w -> (1 <= R < C)%nat ->
  0 < sum_to d R < sum_to d C /\ 0 < S_of w d R < S_of w d C.
Proof.
  intros D W I; assert (positive_to_end (fun i => w i * d i)) as WD by
    (intros i Hi; apply Rmult_lt_0_compat; auto).
  pose proof (sum_to_less d 0 R D ltac:(lia)); pose proof (sum_to_less d R C D ltac:(lia)).
  pose proof (sum_to_less _ 0 R WD ltac:(lia)); pose proof (sum_to_less _ R C WD ltac:(lia)).
  unfold S_of; cbn in *; lra.
Qed.
Lemma beta_less d w R C x : positive_to_end d -> positive_to_end w -> (1 <= R < C)%nat ->
  (beta d w R C < x <-> sum_to d R / S_of w d R * (S_of w d C - S_of w d R) <
    x * (sum_to d C - sum_to d R)).
Proof.
  intros D W I; destruct (beta_parts d w R C D W I) as [[D1 D2] [S1 S2]]; unfold beta.
  assert (0 < S_of w d R / sum_to d R) by (apply Rdiv_lt_0_compat; assumption).
  rewrite !div_lt by lra; replace (sum_to d R / S_of w d R * (S_of w d C - S_of w d R))
    with ((S_of w d C - S_of w d R) * sum_to d R / S_of w d R) by (field; lra).
  rewrite div_lt by assumption.
  replace (x * (S_of w d R / sum_to d R) * (sum_to d C - sum_to d R)) with
    (x * (sum_to d C - sum_to d R) * S_of w d R / sum_to d R) by (field; lra).
  rewrite lt_div by assumption; reflexivity.
Qed.
(** RS-LEN-8/L3: if all items below the first R that matter have one label, the inequality fails at
    C if and only if g(rho)/g(m) > beta(R, C) ... *)
Theorem LEN_8_L3 d w g J m rho R C : positive_to_end d -> positive_to_end w -> (1 <= R < C)%nat ->
  (forall i, (R < i <= C)%nat -> at_rank (ideal J) i = rho) ->
  (~ sum_to (shift R (fun i => g (at_rank (ideal J) i) / g m * d i)) (C - R) <=
     sum_to d R / S_of w d R * (S_of w d C - S_of w d R) <->
   beta d w R C < g rho / g m).
Proof.
  intros D W I B; rewrite beta_less by assumption.
  replace (sum_to (shift R (fun i => g (at_rank (ideal J) i) / g m * d i)) (C - R))
    with (g rho / g m * (sum_to d C - sum_to d R)).
  - split; intros L; [apply Rnot_le_lt; assumption|apply Rlt_not_le; assumption].
  - rewrite (split_sum d R C) by lia; replace (sum_to d R + sum_to (shift R d) (C - R) - sum_to d R)
      with (sum_to (shift R d) (C - R)) by ring; rewrite <- sum_to_scale; apply sum_to_ext.
    intros i Hi; unfold shift; rewrite B by lia; reflexivity.
Qed.
(** RS-LEN-8/L3: ... beta does not rise with C ... *)
Theorem LEN_8_L3_falls d w R C : positive_to_end d -> positive_to_end w -> falls w ->
  (1 <= R < C)%nat -> beta d w R (S C) <= beta d w R C.
Proof.
  intros D W F I; destruct (beta_parts d w R C D W I) as [[D1 D2] [S1 S2]].
  unfold beta; apply Rmult_le_compat_r;
    [apply Rlt_le, Rinv_0_lt_compat, Rdiv_lt_0_compat; assumption|].
  assert (w (S C) * (sum_to d C - sum_to d R) <= S_of w d C - S_of w d R) as X.
  { unfold S_of; rewrite (split_sum d R C), (split_sum (fun i => w i * d i) R C) by lia.
    replace (sum_to d R + sum_to (shift R d) (C - R) - sum_to d R)
      with (sum_to (shift R d) (C - R)) by ring; rewrite <- sum_to_scale.
    match goal with |- _ <= ?a + ?b - ?a => replace (a + b - a) with b by ring end.
    apply sum_to_le; intros i Hi; unfold shift; apply Rmult_le_compat_r.
    - apply Rlt_le, D; lia.
    - apply falls_le; [assumption|lia]. }
  pose proof (D (S C) ltac:(lia)) as d1; unfold S_of in *; cbn [sum_to].
  set (a := sum_to (fun i => w i * d i) C) in *; set (b := sum_to (fun i => w i * d i) R) in *.
  set (p := sum_to d C) in *; set (q := sum_to d R) in *.
  apply div_le; [lra|]; replace ((a - b) / (p - q) * (p + d (S C) - q))
    with ((a - b) * (p + d (S C) - q) / (p - q)) by (field; lra).
  apply le_div; [lra|]; apply (Rmult_le_compat_l (d (S C))) in X; lra.
Qed.
Lemma beta_falls d w R C C' : positive_to_end d -> positive_to_end w -> falls w ->
  (1 <= R < C)%nat -> (C <= C')%nat -> beta d w R C' <= beta d w R C.
Proof.
  intros D W F I; induction 1 as [|C' L IH]; [lra|]; eapply Rle_trans; [|exact IH].
  apply LEN_8_L3_falls; auto; lia.
Qed.

(** n items of the label m, and k of a lower one *)
Definition two_labels (m : R) n (rho : R) k := repeat m n ++ repeat rho k.

Lemma two_labels_ideal m R rho k : rho <= m -> ideal (two_labels m R rho k) = two_labels m R rho k.
Proof.
  intros L; apply best_sorted; unfold two_labels; induction R as [|R IH]; cbn.
  - induction k as [|k IH]; cbn; constructor; [assumption|]; apply Forall_forall; intros x X.
    apply repeat_spec in X; lra.
  - constructor; [assumption|]; apply Forall_app; split; apply Forall_forall; intros x X;
    apply repeat_spec in X; lra.
Qed.
Lemma two_labels_ranks m R rho k i : (R < i <= R + k)%nat -> at_rank (two_labels m R rho k) i = rho.
Proof.
  intros I; unfold two_labels; replace i with (length (repeat m R) + (i - R))%nat by
    (rewrite repeat_length; lia); rewrite at_rank_app2, at_rank_repeat by lia; reflexivity.
Qed.
Lemma two_labels_counts m R rho k : rho < m ->
  count m (two_labels m R rho k) = R /\ at_least rho (two_labels m R rho k) = (R + k)%nat.
Proof.
  intros L; unfold count, at_least, two_labels; rewrite !filter_app, !app_length; split.
  - assert (forall n, length (filter (fun x => if Req_EM_T x m then true else false) (repeat m n))
      = n) as -> by (induction n; cbn; [reflexivity|]; destruct (Req_EM_T m m); cbn; lia || lra).
    assert (forall n, length (filter (fun x => if Req_EM_T x m then true else false) (repeat rho n))
      = 0%nat) as -> by (induction n; cbn; [reflexivity|]; destruct (Req_EM_T rho m);
        [lra|assumption]).
    lia.
  - assert (forall n x, rho <= x ->
      length (filter (fun x => if Rle_dec rho x then true else false) (repeat x n)) = n) as X by
      (intros n x B; induction n; cbn; [reflexivity|]; destruct (Rle_dec rho x); cbn; lia || lra).
    rewrite !X by lra; reflexivity.
Qed.
(** For two labels, eq. 7 is below the maximum if and only if g(rho)/g(m) > beta(R, C). *)
Lemma two_labels_differ z M d w g m R rho k : positive_to_end d -> positive_to_end w -> falls d ->
  falls w -> rises g -> 0 <= g rho -> rho < m -> 0 < g m -> (1 <= R)%nat -> (1 <= k)%nat ->
  (R < M)%nat -> 0 < z ->
  let J := two_labels m R rho k in
  (ildcg_eq7 z M d w g J <> ildcg z M d w (map g J) <->
   beta d w R (Nat.min M (R + k)) < g rho / g m).
Proof.
  intros D W F FW G P L GM HR HK HM Z J; pose proof (two_labels_ideal m R rho k ltac:(lra)) as E.
  destruct (two_labels_counts m R rho k L) as [CM CL]; fold J in E, CM, CL.
  assert (exists rest, ideal J = m :: rest) as (rest & EJ).
  { rewrite E; unfold J, two_labels; destruct R; [lia|]; cbn; eauto. }
  assert (forall x, In x J -> x = m \/ x = rho) as two.
  { intros x X; apply in_app_iff in X; destruct X as [X|X]; apply repeat_spec in X; auto. }
  assert (In rho J) as IR by (apply in_app_iff; right; destruct k; [lia|left; reflexivity]).
  rewrite (LEN_8_L2 z M d w g J m rest); try assumption; try lia;
    [|apply regular_positive; assumption|
     apply Forall_forall; intros x X; destruct (two x X) as [->| ->]; [lra|assumption]].
  rewrite CM, Nat.min_r by lia; rewrite <- (LEN_8_L3 d w g J m rho R); try assumption; try lia.
  - unfold shown in *; split.
    + intros X Y; apply X; intros rho' I L'; destruct (two rho' I) as [->| ->]; [lra|].
      rewrite CL; exact Y.
    + intros X Y; apply X; specialize (Y rho IR L); rewrite CL in Y; exact Y.
  - intros i I; rewrite E; apply two_labels_ranks; lia.
Qed.
Lemma two_labels_break z d w g m R rho : positive_to_end d -> positive_to_end w -> falls d ->
  falls w -> rises g -> 0 < g rho -> rho < m -> (1 <= R)%nat -> 0 < z ->
  (forall e, 0 < e -> exists C, (R < C)%nat /\ beta d w R C < e) ->
  exists K, forall k M, (K <= k)%nat -> (R + k <= M)%nat -> let J := two_labels m R rho k in
  ildcg_eq7 z M d w g J < ildcg z M d w (map g J).
Proof.
  intros D W F FW G P L HR Z T; pose proof (G rho m ltac:(lra)).
  destruct (T (g rho / g m) ltac:(apply Rdiv_lt_0_compat; lra)) as (C & C1 & C2).
  exists (C - R)%nat; intros k M Hk HM J.
  assert (ildcg_eq7 z M d w g J <= ildcg z M d w (map g J)) as [|X]; [|assumption|exfalso].
  - apply LEN_8_L1; [assumption|intros i I; apply Rlt_le, D; assumption|].
    apply Forall_forall; intros x X; apply in_app_iff in X; destruct X as [X|X];
    apply repeat_spec in X; rewrite X; lra.
  - revert X; apply two_labels_differ; try assumption; try lia; try lra.
    rewrite Nat.min_r by lia; eapply Rle_lt_trans; [|exact C2]; apply beta_falls; auto; lia.
Qed.
Lemma ideal_highest J m : In m J -> Forall (fun x => x <= m) J -> exists rest, ideal J = m :: rest.
Proof.
  intros I A; pose proof (DCG_4_L1 J) as P; destruct (ideal J) as [|y rest] eqn:E.
  - apply Permutation_sym, Permutation_nil in P; subst; contradiction.
  - pose proof (in_ideal_below J y rest m E I); rewrite Forall_forall in A.
    assert (y <= m) by
      (apply A; eapply Permutation_in; [symmetry; exact P|left; reflexivity]).
    exists rest; f_equal; lra.
Qed.
Lemma ildcg_more z M d w J others : falls d -> nonneg d -> Forall (Rle 0) others ->
  ildcg z M d w J <= ildcg z M d w (J ++ others).
Proof.
  intros F D A; assert (forall J', Permutation J' (others ++ J) ->
    ildcg z M d w J' = ildcg z M d w (others ++ J)) as X.
  { intros J' P; unfold ildcg; rewrite (Permutation_length P); apply max_to_ext; intro N.
    rewrite (idcg_perm N d _ _ P); reflexivity. }
  rewrite (X (J ++ others)) by apply Permutation_app_comm; clear X.
  induction A as [|x l X A IH]; cbn [app]; [lra|]; eapply Rle_trans; [exact IH|].
  apply LEN_7_L3; assumption.
Qed.
(** RS-LEN-8/L3: ... where beta tends to 0, every lower label with a gain breaks eq. 7, provided
    that enough items have it and M is large enough, whatever else is in the pool ... *)
Theorem LEN_8_L3_breaks z d w g m R rho : positive_to_end d -> positive_to_end w -> falls d ->
  falls w -> rises g -> 0 < g rho -> rho < m -> (1 <= R)%nat -> 0 < z ->
  (forall e, 0 < e -> exists C, (R < C)%nat /\ beta d w R C < e) ->
  exists K, forall k M others, (K <= k)%nat -> (R + k <= M)%nat ->
  Forall (fun x => 0 <= g x /\ x < m) others -> let J := two_labels m R rho k ++ others in
  ildcg_eq7 z M d w g J < ildcg z M d w (map g J).
Proof.
  intros D W F FW G P L HR Z T.
  destruct (two_labels_break z d w g m R rho D W F FW G P L HR Z T) as (K & H).
  exists K; intros k M others Hk HM A J; set (I := two_labels m R rho k) in *.
  assert (In m I) as Im by (apply in_app_iff; left; destruct R; [lia|left; reflexivity]).
  assert (Forall (fun x => x <= m) I) as AI.
  { apply Forall_app; split; apply Forall_forall; intros x X; apply repeat_spec in X; lra. }
  destruct (ideal_highest I m Im AI) as (rest & E).
  destruct (ideal_highest J m) as (rest' & E').
  - apply in_app_iff; left; assumption.
  - apply Forall_app; split; [assumption|]; eapply Forall_impl; [|exact A]; cbn; intros; lra.
  - assert (count m J = count m I) as C.
    { unfold J, count; rewrite filter_app, app_length; enough (length (filter (fun x =>
        if Req_EM_T x m then true else false) others) = 0%nat) by lia.
      clear - A; induction A as [|x l X A IH]; cbn; [reflexivity|].
      destruct (Req_EM_T x m); [lra|exact IH]. }
    rewrite (LEN_6_L1 z M d w g J m rest' E'), C, <- (LEN_6_L1 z M d w g I m rest E).
    eapply Rlt_le_trans; [apply (H k M Hk HM)|]; fold I; unfold J; rewrite map_app.
    apply ildcg_more; [assumption|intros i Hi; apply Rlt_le, D; assumption|].
    apply Forall_map; eapply Forall_impl; [|exact A]; cbn; intros; lra.
Qed.
Lemma d_log_positive : positive_to_end (d_log 2).
Proof. intros i I; pose proof (DISC_1_L1 2 i ltac:(lra) I); lra. Qed.
Lemma d_log_falls : falls (d_log 2).
Proof. intros i I; pose proof (DISC_1_L1 2 i ltac:(lra) I); lra. Qed.
Lemma nat_above x : exists n, x < INR n.
Proof.
  exists (Z.to_nat (up (Rmax x 0))); destruct (archimed (Rmax x 0)) as [A _].
  pose proof (Rmax_l x 0); pose proof (Rmax_r x 0); rewrite INR_IZR_INZ, Z2Nat.id; [lra|].
  apply le_IZR; lra.
Qed.
(** The sum of the discounts exceeds every bound, as d(2^e - 1) = 1/e. *)
Lemma discounts_unbounded x : exists n, x < sum_to (d_log 2) n.
Proof.
  destruct (nat_above (2 * Rmax x 1)) as (e & H); pose proof (Rmax_l x 1);
  pose proof (Rmax_r x 1).
  assert (1 <= e)%nat as E by (destruct e; [cbn in H; lra|lia]).
  exists (2 ^ e - 1)%nat; set (n := (2 ^ e - 1)%nat).
  assert (INR e * (INR e + 1) / 2 <= INR n) as N.
  { unfold n; rewrite minus_INR, pow_INR by (pose proof (Nat.pow_nonzero 2 e); lia); cbn [INR].
    replace (1 + 1) with 2 by ring; clear - E; induction E as [|e E IH]; [cbn; lra|].
    rewrite <- tech_pow_Rmult, S_INR; pose proof (rank_ge_1 e E); nra. }
  assert (INR n * (1 / INR e) <= sum_to (d_log 2) n) as S.
  { rewrite <- sum_to_const; apply sum_to_le; intros i I; rewrite <- DISC_1_L3 by assumption.
    apply falls_le; [apply d_log_falls|exact I]. }
  pose proof (rank_ge_1 e E); eapply Rlt_le_trans; [|exact S].
  replace (INR n * (1 / INR e)) with (INR n / INR e) by (field; lra); apply lt_div; [lra|nra].
Qed.
(** RS-LEN-8/L3: ... as it does for the defaults *)
Theorem LEN_8_L3_defaults R e : (1 <= R)%nat -> 0 < e ->
  exists C, (R < C)%nat /\ beta (d_log 2) (d_log 2) R C < e.
Proof.
  intros HR E; set (d := d_log 2); pose proof d_log_positive as P; fold d in P.
  assert (0 < sum_to d R) as DR by (apply (sum_to_less d 0 R P); lia).
  assert (0 < S_of d d R) as SR by (apply (proj2 (beta_parts d d R (S R) P P ltac:(lia)))).
  set (c := S_of d d R / sum_to d R); assert (0 < c) as Pc by (apply Rdiv_lt_0_compat; assumption).
  destruct (nat_above (2 / (e * c))) as (n & N).
  set (K := Nat.max R (2 ^ S n - 1)); assert (forall i, (K < i)%nat -> d i <= e * c / 2) as small.
  { intros i I; apply Rle_trans with (d (2 ^ S n - 1)%nat).
    - apply falls_le; [apply d_log_falls|]; pose proof (Nat.pow_nonzero 2 (S n) ltac:(lia)).
      assert (2 <= 2 ^ S n)%nat by (change 2%nat with (2 ^ 1)%nat at 1; apply Nat.pow_le_mono_r;
        lia).
      unfold K in I; lia.
    - unfold d; rewrite DISC_1_L3 by lia; rewrite S_INR; pose proof (pos_INR n).
      apply div_le; [lra|]; apply div_lt in N; [|nra]; nra. }
  destruct (discounts_unbounded (sum_to d R + 2 * (S_of d d K - S_of d d R) / (e * c)))
    as (C & B).
  exists (Nat.max C (S K)); set (X := Nat.max C (S K)); split; [unfold X, K; lia|].
  assert (sum_to d C <= sum_to d X) by (apply sum_to_more; [intro i; apply Rlt_le, P; lia|lia]).
  fold d in B; set (a := S_of d d K - S_of d d R) in *.
  assert (2 * a / (e * c) < sum_to d X - sum_to d R) as B' by lra; apply div_lt in B'; [|nra].
  unfold beta; fold c; rewrite div_lt by assumption.
  pose proof (sum_to_less d R X P ltac:(unfold X, K; lia)); apply div_lt; [lra|].
  assert (S_of d d X - S_of d d K <= e * c / 2 * (sum_to d X - sum_to d K)) as T.
  { unfold S_of; rewrite (split_sum d K X), (split_sum (fun i => d i * d i) K X) by (unfold X; lia).
    match goal with |- ?p + ?q - ?p <= _ * (?r + ?s - ?r) =>
      replace (p + q - p) with q by ring; replace (r + s - r) with s by ring end.
    rewrite <- sum_to_scale; apply sum_to_le; intros i I; unfold shift; apply Rmult_le_compat_r;
      [apply Rlt_le, P; lia|apply small; lia]. }
  assert (sum_to d R <= sum_to d K) by
    (apply sum_to_more; [intro i; apply Rlt_le, P; lia|unfold K; lia]).
  assert (0 < e * c) by nra; unfold a in *; nra.
Qed.

(** Nothing has a gain. *)
Lemma nothing_gained z M d w g J m rest : Forall (fun x => 0 <= g x) J -> rises g ->
  ideal J = m :: rest -> g m = 0 -> ildcg_eq7 z M d w g J = ildcg z M d w (map g J).
Proof.
  intros A G E g0; pose proof (fun N => idcg_zero d g J m rest N A G E g0) as zero.
  transitivity 0; [|symmetry].
  - unfold ildcg_eq7; rewrite E, g0, Rmult_0_l; unfold quotient; destruct (Rlt_dec _ _);
    unfold Rdiv; lra.
  - unfold ildcg; apply Rle_antisym; [|apply max_to_nonneg]; apply max_to_le; [lra|]; intros N _.
    rewrite zero; unfold quotient; destruct (Rlt_dec _ _); unfold Rdiv; lra.
Qed.
Lemma agree_where z M d w g J m rest : regular d w -> rises g -> Forall (fun x => 0 <= g x) J ->
  (1 <= M)%nat -> 0 < z -> ideal J = m :: rest ->
  (0 < g m -> let R := Nat.min M (count m J) in
   forall rho, In rho J -> rho < m -> 0 < g rho -> let C := shown M rho J in
   sum_to (shift R (fun i => g (at_rank (ideal J) i) / g m * d i)) (C - R) <=
   sum_to d R / S_of w d R * (S_of w d C - S_of w d R)) ->
  ildcg_eq7 z M d w g J = ildcg z M d w (map g J).
Proof.
  intros H G A HM Z E X; assert (In m J) as I by (eapply Permutation_in;
    [symmetry; apply DCG_4_L1|rewrite E; left; reflexivity]).
  pose proof (proj1 (Forall_forall _ _) A m I); destruct (Req_dec (g m) 0) as [g0|g0].
  - apply (nothing_gained z M d w g J m rest); assumption.
  - assert (0 < g m) as P by (cbn in *; lra).
    apply (LEN_8_L2_gains z M d w g J m rest); auto.
Qed.
(** RS-LEN-8/L4: ... they agree if R = M ... *)
Theorem LEN_8_L4_cut z M d w g J m rest : regular d w -> rises g ->
  Forall (fun x => 0 <= g x) J -> (1 <= M)%nat -> 0 < z -> ideal J = m :: rest ->
  (M <= count m J)%nat -> ildcg_eq7 z M d w g J = ildcg z M d w (map g J).
Proof.
  intros H G A HM Z E C; apply (agree_where z M d w g J m rest); try assumption.
  intros P R rho I L _ X; unfold R, X, shown; rewrite (Nat.min_l M (count m J)) by assumption.
  replace (Nat.min M (at_least rho J) - M)%nat with 0%nat by lia; cbn [sum_to].
  enough (Nat.min M (at_least rho J) = M) as -> by lra; apply Nat.min_l; apply at_least_ideal;
    [lia|].
  pose proof (highest_count J m rest E); rewrite (highest_first J m rest) by (assumption || lia).
  split; [lia|lra].
Qed.
(** RS-LEN-8/L4: ... or if no label below the highest has a gain ... *)
Theorem LEN_8_L4_gains z M d w g J m rest : regular d w -> rises g ->
  Forall (fun x => 0 <= g x) J -> (1 <= M)%nat -> 0 < z -> ideal J = m :: rest ->
  (forall rho, In rho J -> rho < m -> g rho = 0) ->
  ildcg_eq7 z M d w g J = ildcg z M d w (map g J).
Proof.
  intros H G A HM Z E X; apply (agree_where z M d w g J m rest); try assumption.
  intros P R rho I L Y; rewrite X in Y by assumption; lra.
Qed.
(** RS-LEN-8/L4: ... or, for every pool, if the weights are all equal *)
Theorem LEN_8_L4_equal z M d w g J m rest : regular d w -> rises g ->
  Forall (fun x => 0 <= g x) J -> (1 <= M)%nat -> 0 < z -> ideal J = m :: rest ->
  (forall i, (1 <= i)%nat -> w i = w 1%nat) ->
  ildcg_eq7 z M d w g J = ildcg z M d w (map g J).
Proof.
  intros H G A HM Z E X; apply (agree_where z M d w g J m rest); try assumption.
  intros P R rho I L Y C; pose proof (highest_count J m rest E) as CJ.
  assert (forall n, S_of w d n = w 1%nat * sum_to d n) as W.
  { intros n; unfold S_of; rewrite <- sum_to_scale; apply sum_to_ext; intros i Hi.
    rewrite X by lia; reflexivity. }
  assert (R <= C)%nat as RC.
  { unfold R, C, shown; enough (count m J <= at_least rho J)%nat by lia.
    apply at_least_ideal; [lia|]; rewrite (highest_first J m rest) by (assumption || lia).
    split; [lia|lra]. }
  destruct H as (F & D & _ & _ & D1 & W1).
  assert (0 < sum_to d R) by (apply Rlt_le_trans with (sum_to d 1); [cbn; lra|];
    apply sum_to_more; [intro; apply D; lia|unfold R; lia]).
  rewrite !W; replace (sum_to d R / (w 1%nat * sum_to d R) * (w 1%nat * sum_to d C -
    w 1%nat * sum_to d R)) with (sum_to d C - sum_to d R) by (field; lra).
  rewrite (split_sum d R C) by assumption.
  replace (sum_to d R + sum_to (shift R d) (C - R) - sum_to d R)
    with (sum_to (shift R d) (C - R)) by ring; apply sum_to_le; intros i Hi; unfold shift.
  assert (C <= length J)%nat by (unfold C, shown; pose proof (at_least_length rho J); lia).
  rewrite <- (Rmult_1_l (d (R + i)%nat)) at 2; apply Rmult_le_compat_r; [apply D; lia|].
  apply div_le; [assumption|]; rewrite Rmult_1_l; apply G.
  apply (in_ideal_below J m rest _ E), ideal_In; lia.
Qed.
(** RS-LEN-8/L6: for two items of the labels m > rho they differ if and only if g(rho) w(1) > g(m)
    w(2) ... *)
Theorem LEN_8_L6 z M d w g m rho : regular d w -> rises g -> 0 <= g rho -> rho < m -> 0 < g m ->
  (2 <= M)%nat -> 0 < z -> 0 < d 2%nat ->
  (ildcg_eq7 z M d w g [m; rho] <> ildcg z M d w (map g [m; rho]) <->
   g m * w 2%nat < g rho * w 1%nat).
Proof.
  intros H G P L GM HM Z D2; pose proof (two_labels_ideal m 1 rho 1 ltac:(lra)) as E.
  destruct (two_labels_counts m 1 rho 1 L) as [CM CL]; unfold two_labels in *.
  cbn [repeat app Nat.add] in *; rewrite (LEN_8_L2 z M d w g _ m [rho]); try assumption; try lia;
    [|repeat (apply Forall_cons; [lra|]); apply Forall_nil].
  rewrite CM, E, Nat.min_r by lia; destruct H as (_ & _ & _ & _ & D1 & W1).
  set (x := g rho / g m * d 2%nat); set (y := w 2%nat / w 1%nat * d 2%nat).
  assert (x <= y <-> g rho * w 1%nat <= g m * w 2%nat) as X.
  { unfold x, y; split; intros A.
    - apply Rmult_le_reg_r in A; [|assumption]; apply (proj1 (div_le _ _ _ GM)) in A.
      replace (w 2%nat / w 1%nat * g m) with (g m * w 2%nat / w 1%nat) in A by (field; lra).
      apply (proj1 (le_div _ _ _ W1)) in A; exact A.
    - apply Rmult_le_compat_r; [lra|]; apply (div_le _ _ _ GM).
      replace (w 2%nat / w 1%nat * g m) with (g m * w 2%nat / w 1%nat) by (field; lra).
      apply (le_div _ _ _ W1); exact A. }
  assert (forall rho', In rho' [m; rho] -> rho' < m -> rho' = rho) as only.
  { intros r [<-|[<-|[]]] A; [lra|reflexivity]. }
  transitivity (~ x <= y); [|rewrite X; split; intros A; [apply Rnot_le_lt|apply Rlt_not_le];
    assumption].
  assert (shown M rho [m; rho] = 2%nat) as C by (unfold shown; rewrite CL; lia).
  assert (sum_to (shift 1 (fun i => g (at_rank [m; rho] i) / g m * d i)) 1 <=
    sum_to d 1 / S_of w d 1 * (S_of w d 2 - S_of w d 1) <-> x <= y) as B.
  { unfold shift, S_of, x, y; cbn.
    replace ((0 + d 1%nat) / (0 + w 1%nat * d 1%nat) * (0 + w 1%nat * d 1%nat + w 2%nat * d 2%nat -
      (0 + w 1%nat * d 1%nat))) with (w 2%nat / w 1%nat * d 2%nat) by (field; lra).
    rewrite Rplus_0_l; reflexivity. }
  rewrite <- B; split; intros A N; apply A.
  - intros r I R1; rewrite (only r I R1), C; exact N.
  - specialize (N rho ltac:(right; left; reflexivity) L); rewrite C in N; exact N.
Qed.

(** * LNDCG by both ideals *)

Lemma covers_sublist J r rest : Forall (Rle 0) J -> Permutation J (r ++ rest) -> covers J r.
Proof.
  intros A P; assert (Forall (Rle 0) (r ++ rest)) as B by (eapply Permutation_Forall; eassumption).
  exists (filter (fun x => if Rlt_dec 0 x then false else true) r ++ rest); split.
  - apply Forall_app in B; destruct B as [B C]; apply Forall_app; split; [|assumption].
    apply Forall_forall; intros x X; apply filter_In in X; rewrite Forall_forall in B; apply B;
      tauto.
  - rewrite P, app_assoc; apply Permutation_app_tail; clear; unfold positive.
    induction r as [|x r IH]; [reflexivity|]; cbn; destruct (Rlt_dec 0 x); cbn;
    [constructor; assumption|apply Permutation_cons_app; assumption].
Qed.
(** RS-LEN-9/L2: ... it is LNDCG times the quotient of the two ideals ... *)
Theorem LEN_9_L2_times M d w g r J : 0 < ildcg 1 M d w (map g J) -> 0 < ildcg_eq7 1 M d w g J ->
  lndcg_eq7 M d w g r J =
  lndcg M d w (map g r) (map g J) * (ildcg 1 M d w (map g J) / ildcg_eq7 1 M d w g J).
Proof.
  intros P Q0; unfold lndcg_eq7, lndcg, quotient; do 2 destruct (Rlt_dec _ _); try contradiction.
  field; lra.
Qed.
(** RS-LEN-9/L2: ... and exceeds 1 for some list, the ideal ranking cut where "true" has its
    maximum, exactly where the two ideals differ *)
Theorem LEN_9_L2_above_1 M d w g J : regular d w -> Forall (fun x => 0 <= g x) J -> rises g ->
  0 < ildcg_eq7 1 M d w g J ->
  ((exists r, covers (map g J) (map g r) /\ Forall (fun x => 0 <= g x) r /\
    1 < lndcg_eq7 M d w g r J) <->
   ildcg_eq7 1 M d w g J <> ildcg 1 M d w (map g J)) /\
  exists N, lndcg_eq7 M d w g (firstn N (ideal J)) J =
    ildcg 1 M d w (map g J) / ildcg_eq7 1 M d w g J.
Proof.
  intros (F & D & G & W & D1 & W1) A R1 P; assert (Forall (Rle 0) (map g J)) as A' by
    (apply Forall_map; assumption).
  pose proof (LEN_8_L1 1 M d w g J F D A) as L.
  assert (exists N, ildcg 1 M d w (map g J) = ldcg 1 M d w (map g (firstn N (ideal J)))) as (N &
    EN).
  { destruct (LEN_7_L1_attained 1 M d w (map g J)) as [E|(N & _ & E)]; [lra|]; exists N.
    rewrite E, ideal_map, firstn_map by assumption; reflexivity. }
  assert (lndcg_eq7 M d w g (firstn N (ideal J)) J = ildcg 1 M d w (map g J) /
    ildcg_eq7 1 M d w g J) as X.
  { unfold lndcg_eq7, quotient; rewrite <- EN; destruct (Rlt_dec _ _); [reflexivity|contradiction].
    }
  split; [|exists N; exact X]; split.
  - intros (r & C & B & Y) E; unfold lndcg_eq7 in Y; rewrite E in Y.
    fold (lndcg M d w (map g r) (map g J)) in Y; apply Forall_map in B.
    pose proof (LEN_9_L1 M d w (map g r) (map g J) F D W D1 W1 B C); lra.
  - intros NE; exists (firstn N (ideal J)); pose proof (DCG_4_L1 J) as PJ.
    rewrite <- (firstn_skipn N (ideal J)) in PJ; split; [|split].
    + apply (covers_sublist _ _ (map g (skipn N (ideal J))) A'); rewrite <- map_app.
      apply Permutation_map; exact PJ.
    + assert (Forall (fun x => 0 <= g x) (firstn N (ideal J) ++ skipn N (ideal J))) as B by
        (eapply Permutation_Forall; eassumption); apply Forall_app in B; tauto.
    + rewrite X; apply lt_div; lra.
Qed.
Lemma Q_le_ideal_beyond M d w J N : regular d w -> Forall (Rle 0) J -> (1 <= N <= M)%nat ->
  Q d w J N <= ildcg 1 M d w J.
Proof.
  intros H A I; destruct (Nat.le_gt_cases N (length J)) as [L|L];
    [apply Q_le_ideal; [assumption|lia]|].
  pose proof (proj2 (DCG_5_L3 (N - length J) N d J ltac:(apply H) A ltac:(lia))) as E.
  replace (length J + (N - length J))%nat with N in E by lia.
  destruct (length J) as [|n] eqn:EJ.
  - unfold Q; rewrite E; unfold idcg, dcg; cbn; unfold Rdiv; rewrite Rmult_0_l; apply max_to_nonneg.
  - apply Rle_trans with (Q d w J (S n)); [|apply Q_le_ideal; [assumption|lia]].
    unfold Q; rewrite E; apply Rmult_le_compat_l;
      [rewrite <- E; apply idcg_nonneg; [apply H|assumption]|].
    apply Rinv_le_contravar; [apply regular_pos; [assumption|lia]|].
    destruct H as (_ & D & _ & W & _); apply sum_to_more; [|lia]; intro i.
    apply Rmult_le_pos; auto with arith.
Qed.
Lemma ldcg_over z M d w r : regular d w -> 0 < z -> let N := Nat.min (length r) M in (1 <= N)%nat ->
  ldcg z M d w r = dcg N d r / (z * S_of w d N).
Proof.
  intros H Z N I; pose proof (regular_pos d w N H I); unfold ldcg, quotient; fold N.
  assert (dcg M d r = dcg N d r) as -> by (unfold dcg, N; f_equal; lia).
  destruct (Rlt_dec _ _) as [|X]; [reflexivity|exfalso; apply X, Rmult_lt_0_compat; assumption].
Qed.
Definition strict (f : nat -> R) := forall i, (1 <= i)%nat -> 0 < f (S i) < f i.
Lemma strict_regular d w : strict d -> strict w -> regular d w.
Proof.
  intros D W; pose proof (strictly_falls d D) as [DF DN]; pose proof (strictly_falls w W) as [WF
    WN].
  pose proof (D 1%nat ltac:(lia)); pose proof (W 1%nat ltac:(lia)); repeat split; auto; lra.
Qed.
(** RS-LEN-9/L3: where w and d are positive and fall strictly, LNDCG = 1 if and only if the list
    shows at every rank the gain of the ideal ranking, and Q(N) is the maximum ... *)
Theorem LEN_9_L3 M d w r J : strict d -> strict w -> Forall (Rle 0) J -> Forall (Rle 0) r ->
  covers J r -> 0 < ildcg 1 M d w J -> let N := Nat.min (length r) M in
  (lndcg M d w r J = 1 <-> (forall i, (1 <= i <= N)%nat -> at_rank r i = at_rank (ideal J) i) /\
   Q d w J N = ildcg 1 M d w J).
Proof.
  intros D W A B C P N; pose proof (strict_regular d w D W) as H.
  assert (lndcg M d w r J = 1 <-> ldcg 1 M d w r = ildcg 1 M d w J) as ->.
  { unfold lndcg, quotient; destruct (Rlt_dec _ _); [|contradiction].
    rewrite div_eq, Rmult_1_l by lra; reflexivity. }
  destruct (Nat.eq_dec N 0) as [Z|Z].
  { split; [intros E|intros [_ E]]; exfalso; rewrite <- E in P.
    - unfold ldcg, dcg in P; rewrite Nat.min_comm in P; fold N in P; rewrite Z in P; cbn in P.
      unfold quotient in P; destruct (Rlt_dec _ _); unfold Rdiv in P; lra.
    - unfold Q in P; rewrite Z in P; unfold idcg, dcg in P; cbn in P; unfold Rdiv in P; lra. }
  rewrite ldcg_over by (fold N; lia || lra || assumption); fold N; rewrite Rmult_1_l.
  pose proof (regular_pos d w N H ltac:(lia)) as S1.
  pose proof (Q_le_ideal_beyond M d w J N H A ltac:(unfold N in *; lia)) as U.
  destruct H as (F & D0 & _); split.
  - intros E; pose proof (dcg_covered N d r J F D0 B C) as V.
    assert (dcg N d r / S_of w d N <= Q d w J N) as V' by
      (apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; assumption|assumption]).
    assert (dcg N d r = idcg N d J) as EI.
    { apply (Rmult_eq_reg_r (/ S_of w d N)); [|apply Rinv_neq_0_compat; lra].
      unfold Q, Rdiv in *; lra. }
    split; [|unfold Q in *; rewrite EI in E; exact E].
    assert (0 < idcg N d J) as PI.
    { rewrite <- EI, <- E in *; apply lt_div in P; [|assumption]; lra. }
    apply (proj1 (DCG_6_L2 N d r J B C F D0 (fun i I => proj2 (D i ltac:(lia)))
      (fun i I => ltac:(specialize (D i ltac:(lia)); lra)) PI)).
    unfold ndcg, ndcg_by, quotient; destruct (Rlt_dec _ _); [|contradiction].
    rewrite EI; field; lra.
  - intros [E <-]; unfold Q, idcg; f_equal; rewrite !dcg_sum; apply sum_to_ext; intros i I.
    rewrite E by assumption; reflexivity.
Qed.
(** RS-LEN-9/L3: ... such an N ends a block of equal gain, or is M *)
Theorem LEN_9_L3_end M d w J N : strict d -> strict w -> Forall (Rle 0) J ->
  0 < ildcg 1 M d w J -> (1 <= N <= M)%nat -> Q d w J N = ildcg 1 M d w J ->
  N = M \/ at_rank (ideal J) (S N) < at_rank (ideal J) N.
Proof.
  intros D W A P I E; pose proof (strict_regular d w D W) as H.
  destruct (Nat.eq_dec N M) as [|NM]; [left; assumption|right].
  pose proof (Q_le_ideal_beyond M d w J (S N) H A ltac:(lia)) as U; rewrite <- E in U, P.
  set (f := at_rank (ideal J)); assert (nonneg f) as FN by
    (intros i _; apply at_rank_nonneg, ideal_nonneg; assumption).
  pose proof (ideal_rank_falls J A N ltac:(lia)) as [|X]; [assumption|exfalso]; fold f in X.
  rewrite !Q_ratio in U; fold f in U; apply ratio_le in U; [|assumption|lia|lia].
  pose proof (regular_pos d w N H ltac:(lia)) as S1; unfold partial, S_of in U; cbn [sum_to] in U.
  fold (partial d f N) in U; fold (S_of w d N) in U; rewrite X in U.
  rewrite Q_ratio in P; fold f in P; apply lt_div in P; [|assumption]; rewrite Rmult_0_l in P.
  pose proof (D N ltac:(lia)) as DN; pose proof (W N ltac:(lia)) as WN.
  assert (f N * S_of w d N <= w (S N) * partial d f N) as V by
    (apply (Rmult_le_reg_l (d (S N))); lra).
  assert (at_least_ratio d w f N) as [T|T]; [|nra|lra].
  destruct N as [|[|N]]; [lia|apply at_least_first|]; apply at_least_step; [assumption|lia|].
  unfold f; rewrite <- !Q_ratio, E; apply Q_le_ideal_beyond; [assumption|assumption|lia].
Qed.
(** RS-LEN-9/L4: ... a result more: LNDCG orders lists as LDCG does, whose laws hold for it: it
    rises if and only if g / w(N + 1) is above LDCG without Z ... *)
Theorem LEN_9_L4_more M d w r g J : regular d w -> 0 < ildcg 1 M d w J -> let N := length r in
  (1 <= N < M)%nat -> 0 < d (S N) -> 0 < w (S N) ->
  (lndcg M d w r J < lndcg M d w (r ++ [g]) J <-> ldcg 1 M d w r < g / w (S N)).
Proof.
  intros (F & D & G & W & D1 & W1) P N I DN WN; rewrite lndcg_order by assumption.
  apply LEN_5_L4_rises; auto; lra.
Qed.
(** RS-LEN-9/L4: ... a result of gain 0 never raises it, and lowers it if and only if N < M, DCG@N,
    w(N + 1) and d(N + 1) are above 0; one of at least the gain of every other never lowers it
    ... *)
Theorem LEN_9_L4_one_more M d w r J : regular d w -> 0 < ildcg 1 M d w J -> Forall (Rle 0) r ->
  let N := length r in
  (lndcg M d w (r ++ [0]) J <= lndcg M d w r J /\
   (lndcg M d w (r ++ [0]) J < lndcg M d w r J <->
    (N < M)%nat /\ 0 < dcg N d r /\ 0 < w (S N) * d (S N))) /\
  forall g, 0 <= g -> Forall (fun x => x <= g) r -> lndcg M d w r J <= lndcg M d w (r ++ [g]) J.
Proof.
  intros (F & D & G & W & D1 & W1) P A N; split.
  - destruct (LEN_5_L5 1 M d w r ltac:(lra) D W D1 W1 A) as [X Y]; split.
    + apply quotient_le; assumption.
    + rewrite lndcg_order by assumption; exact Y.
  - intros g Hg B; apply quotient_le, LEN_5_L6; auto; lra.
Qed.
(** RS-LEN-9/L4: ... and lists of the same number N of results have it in proportion to DCG@N *)
Theorem LEN_9_L4_one_length M d w J N : exists c, forall r, Nat.min (length r) M = N ->
  lndcg M d w r J = c * dcg N d r.
Proof.
  destruct (LEN_5_L3 1 M d w N) as (c & C); unfold lndcg, quotient; destruct (Rlt_dec _ _).
  - exists (c / ildcg 1 M d w J); intros l E; rewrite (C l E); field; lra.
  - exists 0; intros l E; ring.
Qed.
(** RS-LEN-9/L4: ... by either ideal LNDCG is LDCG, without Z, times a number above 0 of the pool:
    all of RS-LEN-5/L2 to L6 holds of it *)
Theorem LEN_9_L4_either M d w g J :
  (0 < ildcg 1 M d w (map g J) -> exists c, 0 < c /\
   forall r, lndcg M d w (map g r) (map g J) = c * ldcg 1 M d w (map g r)) /\
  (0 < ildcg_eq7 1 M d w g J -> exists c, 0 < c /\
   forall r, lndcg_eq7 M d w g r J = c * ldcg 1 M d w (map g r)).
Proof.
  assert (forall v, 0 < v -> exists c, 0 < c /\ forall x, quotient x v = c * x) as X.
  { intros v P; exists (/ v); split; [apply Rinv_0_lt_compat; assumption|]; intros x.
    unfold quotient; destruct (Rlt_dec 0 v); [unfold Rdiv; ring|contradiction]. }
  split; intros P; destruct (X _ P) as (c & C & H); exists c; split; try assumption; intros;
  apply H.
Qed.
(** RS-LEN-9/L5: ... by eq. 7 too *)
Theorem LEN_9_L5_eq7 z M d w g r J : 0 < z ->
  quotient (ldcg z M d w (map g r)) (ildcg_eq7 z M d w g J) = lndcg_eq7 M d w g r J.
Proof.
  intros P; rewrite ldcg_z, eq7_z by assumption; apply quotient_scale, Rinv_0_lt_compat; assumption.
Qed.
(** RS-LEN-9/L7: ... by eq. 7 too *)
Theorem LEN_9_L7_eq7 c M d w g r J : 0 < c ->
  lndcg_eq7 M d w (fun x => c * g x) r J = lndcg_eq7 M d w g r J /\
  lndcg_eq7 M (fun i => c * d i) w g r J = lndcg_eq7 M d w g r J /\
  lndcg_eq7 M d (fun i => c * w i) g r J = lndcg_eq7 M d w g r J.
Proof.
  intros C; assert (forall g' d' w', ildcg_eq7 1 M d' w' g' J = match ideal J with [] => 0
    | m :: _ => ldcg 1 M d' w' (map g' (repeat m (count m J))) end) as I.
  { intros; destruct (ideal J) eqn:E; [unfold ildcg_eq7; rewrite E; reflexivity|].
    eapply LEN_6_L1, E. }
  assert (forall l : list R, map (fun x => c * g x) l = map (Rmult c) (map g l)) as X by
    (intros; rewrite map_map; reflexivity).
  unfold lndcg_eq7; rewrite !I; repeat split; destruct (ideal J);
  try (unfold quotient; destruct (Rlt_dec 0 0); lra).
  - rewrite !X, !LEN_5_L7; apply quotient_scale; assumption.
  - rewrite !LEN_5_L7_discount by assumption; reflexivity.
  - rewrite !(proj1 (LEN_5_L7_prior c M d w _ C)); unfold Rdiv; rewrite !(Rmult_comm _ (/ c)).
    apply quotient_scale, Rinv_0_lt_compat; assumption.
Qed.
(** RS-LEN-9/L7: ... nor does multiplying d = w ... *)
Theorem LEN_9_L7_both_eq7 c M d g r J : 0 < c ->
  lndcg_eq7 M (fun i => c * d i) (fun i => c * d i) g r J = lndcg_eq7 M d d g r J.
Proof.
  intros C; destruct (LEN_9_L7_eq7 c M (fun i => c * d i) d g r J C) as (_ & _ & ->).
  apply (LEN_9_L7_eq7 c M d d g r J C).
Qed.
(** RS-LEN-9/L7: ... so LNDCG does not depend on the base of logarithms, by either ideal *)
Theorem LEN_9_L7_base b M g r J : 1 < b ->
  lndcg M (d_log b) (d_log b) r J = lndcg M (d_log 2) (d_log 2) r J /\
  lndcg_eq7 M (d_log b) (d_log b) g r J = lndcg_eq7 M (d_log 2) (d_log 2) g r J.
Proof.
  intros B; assert (0 < log 2 b) as C by (apply Rdiv_lt_0_compat; apply ln_pos; lra).
  set (e := fun i => log 2 b * d_log 2 i).
  assert (forall i, (1 <= i)%nat -> d_log b i = e i) as E by
    (intros; apply DISC_1_L2; assumption).
  assert (forall n, S_of (d_log b) (d_log b) n = S_of e e n /\ sum_to (d_log b) n = sum_to e n)
    as S.
  { intros n; split; apply sum_to_ext; intros i I; rewrite ?E by lia; reflexivity. }
  rewrite <- (LEN_9_L7_both (log 2 b) M (d_log 2) r J C).
  rewrite <- (LEN_9_L7_both_eq7 (log 2 b) M (d_log 2) g r J C); fold e; split.
  - unfold lndcg; f_equal; [apply ldcg_ext; auto|]; unfold ildcg; apply max_to_ext; intro N.
    rewrite (proj1 (S N)); f_equal; apply dcg_ext; assumption.
  - unfold lndcg_eq7; f_equal; [apply ldcg_ext; auto|]; unfold ildcg_eq7.
    destruct (ideal J); [reflexivity|]; cbv zeta; rewrite (proj1 (S _)), (proj2 (S _)); reflexivity.
Qed.
Lemma ldcg_at_least z M M' d w r : (length r <= M)%nat -> (length r <= M')%nat ->
  ldcg z M d w r = ldcg z M' d w r.
Proof. intros; unfold ldcg; rewrite !Nat.min_l, !dcg_all by assumption; reflexivity. Qed.
(** RS-LEN-9/L6: it is the same for all M >= max(n, |J|); with "eq7" for all M >= n that are not
    below the number of items of the highest label ... *)
Theorem LEN_9_L6 M M' d w r J g s m rest : let n := Nat.min M M' in
  ((Nat.max (length r) (length J) <= n)%nat -> lndcg M d w r J = lndcg M' d w r J) /\
  (ideal J = m :: rest -> (length s <= n)%nat -> (count m J <= n)%nat ->
   lndcg_eq7 M d w g s J = lndcg_eq7 M' d w g s J).
Proof.
  intros n; split.
  - intros L; unfold lndcg, ildcg; rewrite (ldcg_at_least 1 M M') by (unfold n in L; lia).
    replace (Nat.min M (length J)) with (Nat.min M' (length J)) by (unfold n in L; lia);
      reflexivity.
  - intros E L C; unfold lndcg_eq7, ildcg_eq7; rewrite E.
    rewrite (ldcg_at_least 1 M M') by (rewrite map_length; unfold n in L; lia).
    rewrite !Nat.min_r by (unfold n in C; lia); reflexivity.
Qed.
(** For the pool {g, ..., g} of n items, both ideals are LDCG of them all, at M. *)
Lemma one_label_ideals M d w g x n : regular d w -> rises g -> 0 <= g x -> (1 <= M)%nat ->
  (1 <= n)%nat -> let v := ldcg 1 M d w (map g (repeat x n)) in
  ildcg_eq7 1 M d w g (repeat x n) = v /\ ildcg 1 M d w (map g (repeat x n)) = v.
Proof.
  intros H G P HM HN v; assert (ideal (repeat x n) = x :: repeat x (n - 1)) as E.
  { rewrite (perm_repeat x n (ideal (repeat x n))) by apply DCG_4_L1; destruct n; [lia|]; cbn.
    rewrite Nat.sub_0_r; reflexivity. }
  assert (count x (repeat x n) = n) as C.
  { unfold count; clear; induction n; cbn; [reflexivity|]; destruct (Req_EM_T x x); cbn; lia || lra.
    }
  assert (ildcg_eq7 1 M d w g (repeat x n) = v) as X.
  { rewrite (LEN_6_L1 1 M d w g _ x _ E), C; reflexivity. }
  split; [exact X|]; rewrite <- X; symmetry.
  apply (LEN_8_L4_gains 1 M d w g _ x (repeat x (n - 1))); auto; try lra.
  - apply Forall_forall; intros y Y; apply repeat_spec in Y; rewrite Y; assumption.
  - intros y Y L; apply repeat_spec in Y; lra.
Qed.
Lemma ldcg_repeat M d w g k : regular d w -> (1 <= M)%nat -> (1 <= k)%nat ->
  let N := Nat.min k M in ldcg 1 M d w (repeat g k) = g * sum_to d N / S_of w d N.
Proof.
  intros H HM HK N; rewrite ldcg_over by (rewrite ?repeat_length; assumption || lra || lia).
  rewrite repeat_length, Rmult_1_l; fold N; f_equal; rewrite dcg_sum, <- sum_to_scale.
  apply sum_to_ext; intros i I; rewrite at_rank_repeat by (unfold N in I; lia); reflexivity.
Qed.
(** RS-LEN-9/L6: ... with the pool {1, 1, 1} the list <1> has S(M) / (w(1) D(M)) for M = 1, 2, 3,
    whichever the ideal *)
Theorem LEN_9_L6_three M d w g : regular d w -> rises g -> 0 < g 1 -> (1 <= M <= 3)%nat ->
  let v := S_of w d M / (w 1%nat * sum_to d M) in
  lndcg M d w (map g [1]) (map g [1; 1; 1]) = v /\ lndcg_eq7 M d w g [1] [1; 1; 1] = v.
Proof.
  intros H G P I v.
  destruct (one_label_ideals M d w g 1 3 H G ltac:(lra) ltac:(lia) ltac:(lia)) as [E7 ET].
  change (map g (repeat 1 3)) with (repeat (g 1) 3) in *.
  rewrite (ldcg_repeat M d w (g 1) 3) in E7, ET by (assumption || lia).
  change (repeat 1 3) with [1; 1; 1] in *; change (repeat (g 1) 3) with (map g [1; 1; 1]) in *.
  unfold lndcg, lndcg_eq7; rewrite E7, ET; change (map g [1]) with (repeat (g 1) 1).
  rewrite (ldcg_repeat M d w (g 1) 1), Nat.min_l, Nat.min_r by (assumption || lia).
  pose proof (regular_pos d w M H ltac:(lia)); destruct H as (_ & D & _ & _ & D1 & W1).
  assert (0 < sum_to d M) by (apply Rlt_le_trans with (sum_to d 1); [cbn; lra|];
    apply sum_to_more; [intro; apply D; lia|lia]).
  assert (0 < g 1 * sum_to d M / S_of w d M) by
    (apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat|]; assumption).
  unfold quotient; destruct (Rlt_dec _ _); [|contradiction]; unfold v.
  replace (g 1 * sum_to d 1 / S_of w d 1) with (g 1 / w 1%nat) by (unfold S_of; cbn; field; lra).
  split; field; lra.
Qed.

(** RS-LEN-6/L2: ... without Z it is g(m) D(R) / S(R) *)
Theorem LEN_6_L2_is M d w g J m rest : regular d w -> (1 <= M)%nat -> ideal J = m :: rest ->
  let n := Nat.min M (count m J) in
  (1 <= n)%nat /\ ildcg_eq7 1 M d w g J = g m * sum_to d n / S_of w d n.
Proof.
  intros H HM E n; pose proof (highest_count J m rest E).
  assert (1 <= n)%nat as N by (unfold n; lia); split; [exact N|].
  unfold ildcg_eq7; rewrite E; cbv zeta; fold n; rewrite Rmult_1_l.
  pose proof (regular_pos d w n H N); unfold quotient; destruct (Rlt_dec _ _);
  [reflexivity|contradiction].
Qed.

(** RS-EXP-12: ... with the ideal of eq. 7 *)
Definition expected_lndcg_eq7 M d w g T J :=
  quotient (expected_ldcg 1 M d w (map (map g) T)) (ildcg_eq7 1 M d w g J).

Lemma expectation_map {A} (g : A -> R) M T :
  expectation (fun p => M (map g p)) T = expectation M (map (map g) T).
Proof.
  induction T as [|t T IH] in M |- *; [reflexivity|]; cbn [map].
  rewrite !expectation_cons, orders_map; unfold mean; rewrite total_map, map_length; f_equal.
  apply total_ext; intros p _; rewrite <- IH; apply expectation_ext; intros q _.
  rewrite map_app; reflexivity.
Qed.
(** RS-EXP-12/L1: ... by the ideal of eq. 7 too *)
Theorem EXP_12_L1_eq7 M d w g T J : expectation (fun p => lndcg_eq7 M d w g p J) T =
  expected_lndcg_eq7 M d w g T J.
Proof.
  unfold expected_lndcg_eq7; rewrite <- EXP_11_L1, <- expectation_map; apply mean_quotient.
Qed.
(** RS-EXP-12/L3: where all items have one label, in any tie groups, J is the list's own and ILDCG >
    0, it is 1, by either ideal *)
Theorem EXP_12_L3 M d w g x T : regular d w -> rises g -> 0 < g x -> (1 <= M)%nat ->
  let J := concat T in Forall (eq x) J -> J <> [] ->
  expected_lndcg M d w (map (map g) T) (map g J) = 1 /\ expected_lndcg_eq7 M d w g T J = 1.
Proof.
  intros H G P HM J A N; set (n := length J); assert ((1 <= n)%nat /\ J = repeat x n) as [N1 E].
  { unfold n; split; [destruct J; [contradiction|cbn; lia]|].
    clear - A; induction J; cbn; [reflexivity|]; inversion A; subst; f_equal; auto. }
  assert (forall p, In p (tied_orders T) -> p = repeat x n) as U.
  { intros p I; apply tied_orders_are in I; fold J in I; rewrite E in I; apply perm_repeat in I.
    exact I. }
  destruct (one_label_ideals M d w g x n H G ltac:(lra) HM N1) as [E7 ET]; rewrite <- E in E7, ET.
  set (v := ldcg 1 M d w (map g J)) in *; assert (0 < v) as V.
  { unfold v; assert (map g J = repeat (g x) n) as -> by
      (rewrite E; clear; induction n; cbn; [reflexivity|rewrite IHn; reflexivity]).
    rewrite ldcg_repeat by assumption; pose proof (regular_pos d w (Nat.min n M) H ltac:(lia)).
    destruct H as (_ & D & _ & _ & D1 & _).
    apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat; [assumption|]|assumption].
    apply Rlt_le_trans with (sum_to d 1); [cbn; lra|]; apply sum_to_more; [intro; apply D; lia|].
    lia. }
  split.
  - rewrite <- EXP_12_L1, <- (expectation_map g (fun p => lndcg M d w p (map g J))).
    rewrite (expectation_ext _ (fun _ => 1)); [apply expectation_const|]; intros p I.
    rewrite (U p I), <- E; unfold lndcg, quotient; rewrite ET; fold v.
    destruct (Rlt_dec 0 v); [field; lra|contradiction].
  - rewrite <- EXP_12_L1_eq7, (expectation_ext _ (fun _ => 1)); [apply expectation_const|].
    intros p I; rewrite (U p I), <- E; unfold lndcg_eq7, quotient; rewrite E7; fold v.
    destruct (Rlt_dec 0 v); [field; lra|contradiction].
Qed.

Lemma D_over_S d w n n' : regular d w -> (1 <= n <= n')%nat ->
  sum_to d n / S_of w d n <= sum_to d n' / S_of w d n'.
Proof.
  intros (F & D & G & W & D1 & W1) [N L]; induction L as [|m L IH]; [lra|].
  eapply Rle_trans; [exact IH|].
  destruct (LEN_6_L2 d w 1 m D W G D1 W1 ltac:(lra) ltac:(lia)) as [X _].
  rewrite !Rmult_1_l in X; exact X.
Qed.
(** RS-EXP-11/L2: ... so of two random lists with the same mean gain and M, the longer one does not
    have the lower value *)
Theorem EXP_11_L2_longer z M d w t t' : regular d w -> 0 < z -> (1 <= M)%nat ->
  Forall (Rle 0) t -> (1 <= length t <= length t')%nat ->
  sum t / INR (length t) = sum t' / INR (length t') ->
  expected_ldcg z M d w [t] <= expected_ldcg z M d w [t'].
Proof.
  intros H P HM A L E.
  assert (forall u : list R, (1 <= length u)%nat -> 0 < S_of w d (Nat.min (length u) M)) as S1 by
    (intros; apply regular_pos; [assumption|lia]).
  pose proof (S1 t ltac:(lia)) as St; pose proof (S1 t' ltac:(lia)) as St'.
  rewrite !EXP_11_L2 by (apply Rmult_lt_0_compat; assumption); rewrite <- E.
  apply Rmult_le_compat_l.
  - apply div_nonneg; [|apply lt_0_INR; lia]; apply total_nonneg; rewrite Forall_forall in A.
    exact A.
  - pose proof (D_over_S d w (Nat.min (length t) M) (Nat.min (length t') M) H ltac:(lia)) as X.
    assert (forall u s, 0 < s -> u / (z * s) = / z * (u / s)) as Y by (intros; field; lra).
    rewrite !Y by assumption.
    apply Rmult_le_compat_l; [apply Rlt_le, Rinv_0_lt_compat|]; assumption.
Qed.

(** * The constraints, by either ideal *)

(** RS-LEN-10/L2, RS-LEN-10/L3, RS-LEN-10/L4, RS-LEN-10/L5, RS-LEN-11/L2, RS-LEN-11/L3: ... LNDCG,
    by either ideal, satisfies C1 and C2 exactly where LDCG does *)
Theorem LEN_10_L2_normalised M d w g a b c J :
  (0 < ildcg 1 M d w J -> let E r := lndcg M d w (map g r) J in let L r := ldcg 1 M d w (map g r) in
   (C1 E a b c <-> C1 L a b c) /\ (C2 E a b c <-> C2 L a b c) /\
   forall s t, L s = L t -> E s = E t) /\
  (0 < ildcg_eq7 1 M d w g J -> let E r := lndcg_eq7 M d w g r J in
   let L r := ldcg 1 M d w (map g r) in
   (C1 E a b c <-> C1 L a b c) /\ (C2 E a b c <-> C2 L a b c) /\
   forall s t, L s = L t -> E s = E t).
Proof.
  split; intros P E L; (split; [|split; [|intros s t X; unfold E, lndcg, lndcg_eq7;
    fold (L s) (L t); rewrite X; reflexivity]]); unfold C1, C2, Rgt; split; intros X; intros;
  first [apply (lndcg_order M d w _ _ J P) | apply (lndcg_eq7_order M d w g _ _ J P)];
  apply X; assumption.
Qed.
(** RS-LEN-11/L3: ... as for the prior "uniform", and the prior "discount" of RS-DISC-3 with b >= 2
    and of RS-DISC-6 *)
Theorem LEN_11_L3_priors b : 2 <= b -> d_none 1 = d_none 2 /\
  d_jarvelin_2002 b 1 = d_jarvelin_2002 b 2.
Proof.
  intros B; split; [reflexivity|]; symmetry.
  apply (DISC_3_L1 b 1); [lra|lia|cbn [INR]; lra].
Qed.
