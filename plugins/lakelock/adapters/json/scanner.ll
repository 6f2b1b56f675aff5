; Made of scanner.c by `python -m native`; SHA-256 of that file and what it includes:
; 8d6095103297d667d547807020c5322c71107231b1c084bfb5f5b844b09f589d

%struct.level = type { i64, i64, i64, i64, i64, i64, i64, i8, i8, i8, i8 }
%struct.node = type { ptr, i64, i64, i64, i64, i64 }

@.str = private constant [5 x i8] c"true\00", align 1
@.str.1 = private constant [6 x i8] c"false\00", align 1
@.str.2 = private constant [5 x i8] c"null\00", align 1

define void @scan_records(ptr %0) {
  %2 = alloca [4 x i8], align 1
  %3 = alloca i64, align 8
  %4 = alloca [4 x i8], align 1
  %5 = alloca i64, align 8
  %6 = alloca [4 x i8], align 1
  %7 = alloca i64, align 8
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = getelementptr inbounds i8, ptr %0, i64 104
  %11 = load ptr, ptr %10, align 8
  %12 = icmp eq ptr %11, null
  br i1 %12, label %16, label %13

13:                                               ; preds = %1
  %14 = getelementptr inbounds i8, ptr %0, i64 112
  %15 = load ptr, ptr %14, align 8
  store i64 0, ptr %15, align 8
  br label %16

16:                                               ; preds = %13, %1
  %17 = getelementptr inbounds i8, ptr %0, i64 40
  %18 = load i64, ptr %17, align 8
  %19 = icmp sgt i64 %18, 0
  br i1 %19, label %20, label %33

20:                                               ; preds = %16
  %21 = getelementptr inbounds i8, ptr %0, i64 56
  %22 = getelementptr inbounds i8, ptr %0, i64 48
  %23 = getelementptr inbounds i8, ptr %0, i64 8
  %24 = getelementptr inbounds i8, ptr %0, i64 16
  %25 = getelementptr inbounds i8, ptr %0, i64 64
  %26 = getelementptr inbounds i8, ptr %0, i64 72
  %27 = getelementptr inbounds i8, ptr %0, i64 80
  %28 = getelementptr inbounds i8, ptr %0, i64 32
  %29 = getelementptr inbounds i8, ptr %0, i64 24
  %30 = getelementptr inbounds i8, ptr %0, i64 96
  %31 = getelementptr inbounds i8, ptr %0, i64 88
  %32 = getelementptr inbounds i8, ptr %0, i64 112
  br label %34

33:                                               ; preds = %845, %16
  ret void

34:                                               ; preds = %20, %845
  %35 = phi i64 [ 0, %20 ], [ %846, %845 ]
  %36 = phi i64 [ 0, %20 ], [ %40, %845 ]
  %37 = load ptr, ptr %21, align 8
  %38 = getelementptr inbounds i64, ptr %37, i64 %36
  %39 = load i64, ptr %38, align 8
  %40 = add i64 %36, 1
  %41 = getelementptr inbounds i64, ptr %37, i64 %40
  %42 = load i64, ptr %41, align 8
  %43 = add i64 %42, -1
  %44 = load ptr, ptr %22, align 8
  %45 = load ptr, ptr %23, align 8
  %46 = icmp slt i64 %39, %43
  br i1 %46, label %47, label %54

47:                                               ; preds = %34, %51
  %48 = phi i64 [ %52, %51 ], [ %39, %34 ]
  %49 = getelementptr inbounds i8, ptr %44, i64 %48
  %50 = load i8, ptr %49, align 1
  switch i8 %50, label %54 [
    i8 32, label %51
    i8 13, label %51
    i8 9, label %51
    i8 10, label %51
  ]

51:                                               ; preds = %47, %47, %47, %47
  %52 = add i64 %48, 1
  %53 = icmp eq i64 %52, %43
  br i1 %53, label %824, label %47

54:                                               ; preds = %47, %34
  %55 = phi i64 [ %39, %34 ], [ %48, %47 ]
  %56 = icmp slt i64 %55, %43
  br i1 %56, label %57, label %824

57:                                               ; preds = %54
  %58 = getelementptr inbounds i8, ptr %44, i64 %55
  %59 = load i8, ptr %58, align 1
  %60 = icmp eq i8 %59, 123
  br i1 %60, label %61, label %824

61:                                               ; preds = %57, %817
  %62 = phi i8 [ %823, %817 ], [ 123, %57 ]
  %63 = phi i64 [ %821, %817 ], [ 0, %57 ]
  %64 = phi i64 [ %820, %817 ], [ -1, %57 ]
  %65 = phi i64 [ %819, %817 ], [ %35, %57 ]
  %66 = phi i64 [ %818, %817 ], [ %55, %57 ]
  %67 = getelementptr inbounds i8, ptr %44, i64 %66
  %68 = icmp eq i8 %62, 123
  switch i8 %62, label %139 [
    i8 123, label %69
    i8 91, label %69
  ]

69:                                               ; preds = %61, %61
  %70 = add i64 %64, 1
  %71 = load i64, ptr %24, align 8
  %72 = icmp slt i64 %70, %71
  br i1 %72, label %73, label %824

73:                                               ; preds = %69
  %74 = getelementptr inbounds %struct.level, ptr %45, i64 %70
  %75 = zext i1 %68 to i8
  %76 = getelementptr inbounds i8, ptr %74, i64 56
  store i8 %75, ptr %76, align 8
  %77 = getelementptr inbounds i8, ptr %74, i64 58
  store i8 0, ptr %77, align 2
  %78 = getelementptr inbounds i8, ptr %74, i64 57
  store i8 0, ptr %78, align 1
  store i64 %63, ptr %74, align 8
  %79 = icmp slt i64 %63, 0
  br i1 %79, label %102, label %80

80:                                               ; preds = %73
  %81 = load ptr, ptr %0, align 8
  %82 = getelementptr inbounds %struct.node, ptr %81, i64 %63
  %83 = getelementptr inbounds i8, ptr %82, i64 16
  %84 = load i64, ptr %83, align 8
  %85 = add i64 %84, -1
  %86 = getelementptr inbounds i8, ptr %74, i64 40
  store i64 %85, ptr %86, align 8
  %87 = getelementptr inbounds i8, ptr %74, i64 48
  store i64 -1, ptr %87, align 8
  %88 = getelementptr inbounds i8, ptr %74, i64 32
  store i64 -1, ptr %88, align 8
  %89 = load ptr, ptr %0, align 8
  %90 = getelementptr inbounds %struct.node, ptr %89, i64 %63
  %91 = getelementptr inbounds i8, ptr %90, i64 32
  %92 = load i64, ptr %91, align 8
  %93 = icmp sgt i64 %92, -1
  br i1 %93, label %106, label %94

94:                                               ; preds = %80
  %95 = icmp eq i64 %70, 0
  br i1 %95, label %106, label %96

96:                                               ; preds = %94
  %97 = getelementptr inbounds %struct.level, ptr %45, i64 %64
  %98 = getelementptr inbounds i8, ptr %97, i64 59
  %99 = load i8, ptr %98, align 1
  %100 = icmp ne i8 %99, 0
  %101 = zext i1 %100 to i8
  br label %106

102:                                              ; preds = %73
  %103 = getelementptr inbounds i8, ptr %74, i64 40
  store i64 -1, ptr %103, align 8
  %104 = getelementptr inbounds i8, ptr %74, i64 48
  store i64 -1, ptr %104, align 8
  %105 = getelementptr inbounds i8, ptr %74, i64 32
  store i64 -1, ptr %105, align 8
  br label %106

106:                                              ; preds = %102, %96, %94, %80
  %107 = phi i8 [ 0, %102 ], [ 1, %80 ], [ 0, %94 ], [ %101, %96 ]
  %108 = getelementptr inbounds i8, ptr %74, i64 59
  store i8 %107, ptr %108, align 1
  %109 = add i64 %66, 1
  %110 = icmp slt i64 %109, %43
  br i1 %110, label %111, label %118

111:                                              ; preds = %106, %115
  %112 = phi i64 [ %116, %115 ], [ %109, %106 ]
  %113 = getelementptr inbounds i8, ptr %44, i64 %112
  %114 = load i8, ptr %113, align 1
  switch i8 %114, label %118 [
    i8 32, label %115
    i8 13, label %115
    i8 9, label %115
    i8 10, label %115
  ]

115:                                              ; preds = %111, %111, %111, %111
  %116 = add i64 %112, 1
  %117 = icmp eq i64 %116, %43
  br i1 %117, label %824, label %111

118:                                              ; preds = %111, %106
  %119 = phi i64 [ %109, %106 ], [ %112, %111 ]
  %120 = icmp slt i64 %119, %43
  br i1 %120, label %121, label %824

121:                                              ; preds = %118
  %122 = getelementptr inbounds i8, ptr %44, i64 %119
  %123 = load i8, ptr %122, align 1
  %124 = zext i8 %123 to i32
  %125 = select i1 %68, i32 125, i32 93
  %126 = icmp eq i32 %125, %124
  br i1 %126, label %559, label %127

127:                                              ; preds = %121
  %128 = or i1 %68, %79
  br i1 %128, label %138, label %129

129:                                              ; preds = %127
  %130 = load ptr, ptr %0, align 8
  %131 = getelementptr inbounds %struct.node, ptr %130, i64 %63
  %132 = getelementptr inbounds i8, ptr %131, i64 40
  %133 = load i64, ptr %132, align 8
  %134 = icmp eq i64 %133, 2
  br i1 %134, label %135, label %817

135:                                              ; preds = %129
  %136 = getelementptr inbounds i8, ptr %131, i64 16
  %137 = load i64, ptr %136, align 8
  br label %817

138:                                              ; preds = %127
  br i1 %68, label %579, label %817

139:                                              ; preds = %61
  switch i8 %62, label %188 [
    i8 34, label %140
    i8 116, label %143
    i8 102, label %158
    i8 110, label %173
  ]

140:                                              ; preds = %139
  %141 = add i64 %66, 1
  %142 = call fastcc i64 @end_of_string(ptr %44, i64 %141, i64 %43, ptr %8)
  br label %273

143:                                              ; preds = %139
  %144 = sub i64 %43, %66
  %145 = icmp slt i64 %144, 4
  br i1 %145, label %272, label %149

146:                                              ; preds = %149
  %147 = add i64 %150, 1
  %148 = icmp eq i64 %147, 4
  br i1 %148, label %156, label %149

149:                                              ; preds = %143, %146
  %150 = phi i64 [ %147, %146 ], [ 0, %143 ]
  %151 = getelementptr i8, ptr %67, i64 %150
  %152 = load i8, ptr %151, align 1
  %153 = getelementptr inbounds i8, ptr @.str, i64 %150
  %154 = load i8, ptr %153, align 1
  %155 = icmp eq i8 %152, %154
  br i1 %155, label %146, label %272

156:                                              ; preds = %146
  %157 = add i64 %66, 4
  br label %273

158:                                              ; preds = %139
  %159 = sub i64 %43, %66
  %160 = icmp slt i64 %159, 5
  br i1 %160, label %272, label %164

161:                                              ; preds = %164
  %162 = add i64 %165, 1
  %163 = icmp eq i64 %162, 5
  br i1 %163, label %171, label %164

164:                                              ; preds = %158, %161
  %165 = phi i64 [ %162, %161 ], [ 0, %158 ]
  %166 = getelementptr i8, ptr %67, i64 %165
  %167 = load i8, ptr %166, align 1
  %168 = getelementptr inbounds i8, ptr @.str.1, i64 %165
  %169 = load i8, ptr %168, align 1
  %170 = icmp eq i8 %167, %169
  br i1 %170, label %161, label %272

171:                                              ; preds = %161
  %172 = add i64 %66, 5
  br label %273

173:                                              ; preds = %139
  %174 = sub i64 %43, %66
  %175 = icmp slt i64 %174, 4
  br i1 %175, label %272, label %179

176:                                              ; preds = %179
  %177 = add i64 %180, 1
  %178 = icmp eq i64 %177, 4
  br i1 %178, label %186, label %179

179:                                              ; preds = %173, %176
  %180 = phi i64 [ %177, %176 ], [ 0, %173 ]
  %181 = getelementptr i8, ptr %67, i64 %180
  %182 = load i8, ptr %181, align 1
  %183 = getelementptr inbounds i8, ptr @.str.2, i64 %180
  %184 = load i8, ptr %183, align 1
  %185 = icmp eq i8 %182, %184
  br i1 %185, label %176, label %272

186:                                              ; preds = %176
  %187 = add i64 %66, 4
  br label %273

188:                                              ; preds = %139
  %189 = icmp eq i8 %62, 45
  %190 = zext i1 %189 to i64
  %191 = add i64 %66, %190
  %192 = icmp slt i64 %191, %43
  br i1 %192, label %193, label %272

193:                                              ; preds = %188
  %194 = getelementptr inbounds i8, ptr %44, i64 %191
  %195 = load i8, ptr %194, align 1
  %196 = icmp eq i8 %195, 48
  br i1 %196, label %197, label %199

197:                                              ; preds = %193
  %198 = add i64 %191, 1
  br label %214

199:                                              ; preds = %193
  %200 = add i8 %195, -58
  %201 = icmp ult i8 %200, -10
  br i1 %201, label %272, label %202

202:                                              ; preds = %199, %208
  %203 = phi i64 [ %209, %208 ], [ %191, %199 ]
  %204 = getelementptr inbounds i8, ptr %44, i64 %203
  %205 = load i8, ptr %204, align 1
  %206 = add i8 %205, -58
  %207 = icmp ult i8 %206, -10
  br i1 %207, label %211, label %208

208:                                              ; preds = %202
  %209 = add i64 %203, 1
  %210 = icmp eq i64 %209, %43
  br i1 %210, label %211, label %202

211:                                              ; preds = %208, %202
  %212 = phi i64 [ %203, %202 ], [ %43, %208 ]
  %213 = icmp slt i64 %212, 0
  br i1 %213, label %272, label %214

214:                                              ; preds = %211, %197
  %215 = phi i64 [ %198, %197 ], [ %212, %211 ]
  %216 = icmp slt i64 %215, %43
  br i1 %216, label %217, label %241

217:                                              ; preds = %214
  %218 = getelementptr inbounds i8, ptr %44, i64 %215
  %219 = load i8, ptr %218, align 1
  %220 = icmp eq i8 %219, 46
  br i1 %220, label %221, label %241

221:                                              ; preds = %217
  %222 = add i64 %215, 1
  %223 = icmp slt i64 %222, %43
  br i1 %223, label %224, label %272

224:                                              ; preds = %221
  %225 = getelementptr inbounds i8, ptr %44, i64 %222
  %226 = load i8, ptr %225, align 1
  %227 = add i8 %226, -58
  %228 = icmp ult i8 %227, -10
  br i1 %228, label %272, label %229

229:                                              ; preds = %224, %235
  %230 = phi i64 [ %236, %235 ], [ %222, %224 ]
  %231 = getelementptr inbounds i8, ptr %44, i64 %230
  %232 = load i8, ptr %231, align 1
  %233 = add i8 %232, -58
  %234 = icmp ult i8 %233, -10
  br i1 %234, label %238, label %235

235:                                              ; preds = %229
  %236 = add i64 %230, 1
  %237 = icmp eq i64 %236, %43
  br i1 %237, label %238, label %229

238:                                              ; preds = %235, %229
  %239 = phi i64 [ %43, %235 ], [ %230, %229 ]
  %240 = icmp slt i64 %239, 0
  br i1 %240, label %272, label %241

241:                                              ; preds = %238, %217, %214
  %242 = phi i64 [ %239, %238 ], [ %215, %217 ], [ %215, %214 ]
  %243 = icmp slt i64 %242, %43
  br i1 %243, label %244, label %273

244:                                              ; preds = %241
  %245 = getelementptr inbounds i8, ptr %44, i64 %242
  %246 = load i8, ptr %245, align 1
  switch i8 %246, label %273 [
    i8 101, label %247
    i8 69, label %247
  ]

247:                                              ; preds = %244, %244
  %248 = add i64 %242, 1
  %249 = icmp slt i64 %248, %43
  br i1 %249, label %250, label %255

250:                                              ; preds = %247
  %251 = getelementptr inbounds i8, ptr %44, i64 %248
  %252 = load i8, ptr %251, align 1
  switch i8 %252, label %255 [
    i8 43, label %253
    i8 45, label %253
  ]

253:                                              ; preds = %250, %250
  %254 = add i64 %242, 2
  br label %255

255:                                              ; preds = %253, %250, %247
  %256 = phi i64 [ %254, %253 ], [ %248, %250 ], [ %248, %247 ]
  %257 = icmp slt i64 %256, %43
  br i1 %257, label %258, label %272

258:                                              ; preds = %255
  %259 = getelementptr inbounds i8, ptr %44, i64 %256
  %260 = load i8, ptr %259, align 1
  %261 = add i8 %260, -58
  %262 = icmp ult i8 %261, -10
  br i1 %262, label %272, label %263

263:                                              ; preds = %258, %269
  %264 = phi i64 [ %270, %269 ], [ %256, %258 ]
  %265 = getelementptr inbounds i8, ptr %44, i64 %264
  %266 = load i8, ptr %265, align 1
  %267 = add i8 %266, -58
  %268 = icmp ult i8 %267, -10
  br i1 %268, label %273, label %269

269:                                              ; preds = %263
  %270 = add i64 %264, 1
  %271 = icmp eq i64 %270, %43
  br i1 %271, label %273, label %263

272:                                              ; preds = %258, %255, %238, %224, %221, %211, %199, %188, %173, %158, %143, %179, %164, %149
  br label %824

273:                                              ; preds = %269, %263, %244, %241, %186, %171, %156, %140
  %274 = phi i64 [ %242, %241 ], [ %142, %140 ], [ %172, %171 ], [ %187, %186 ], [ %242, %244 ], [ %157, %156 ], [ %43, %269 ], [ %264, %263 ]
  %275 = icmp slt i64 %274, 0
  br i1 %275, label %824, label %276

276:                                              ; preds = %559, %273
  %277 = phi i64 [ %565, %559 ], [ %64, %273 ]
  %278 = phi i64 [ %563, %559 ], [ %65, %273 ]
  %279 = phi i64 [ %564, %559 ], [ %274, %273 ]
  %280 = getelementptr inbounds %struct.level, ptr %45, i64 %277
  %281 = getelementptr inbounds i8, ptr %280, i64 56
  %282 = load i8, ptr %281, align 8
  %283 = icmp eq i8 %282, 0
  br i1 %283, label %460, label %284

284:                                              ; preds = %276
  %285 = getelementptr inbounds i8, ptr %280, i64 32
  %286 = load i64, ptr %285, align 8
  %287 = icmp sgt i64 %286, -1
  br i1 %287, label %288, label %324

288:                                              ; preds = %284
  %289 = load ptr, ptr %0, align 8
  %290 = getelementptr inbounds %struct.node, ptr %289, i64 %286
  %291 = getelementptr inbounds i8, ptr %290, i64 32
  %292 = load i64, ptr %291, align 8
  %293 = icmp sgt i64 %292, -1
  br i1 %293, label %294, label %355

294:                                              ; preds = %288
  %295 = load i64, ptr %17, align 8
  %296 = mul i64 %295, %292
  %297 = add i64 %296, %36
  %298 = load ptr, ptr %26, align 8
  %299 = getelementptr inbounds i64, ptr %298, i64 %297
  %300 = load i64, ptr %299, align 8
  %301 = icmp slt i64 %300, 0
  br i1 %301, label %302, label %457

302:                                              ; preds = %294
  %303 = getelementptr inbounds i8, ptr %280, i64 24
  %304 = load i64, ptr %303, align 8
  store i64 %304, ptr %299, align 8
  %305 = load ptr, ptr %27, align 8
  %306 = getelementptr inbounds i64, ptr %305, i64 %297
  store i64 %279, ptr %306, align 8
  %307 = getelementptr inbounds i8, ptr %290, i64 40
  %308 = load i64, ptr %307, align 8
  %309 = icmp eq i64 %308, 4
  br i1 %309, label %310, label %355

310:                                              ; preds = %302
  %311 = load ptr, ptr %25, align 8
  %312 = icmp eq ptr %311, null
  br i1 %312, label %355, label %313

313:                                              ; preds = %310
  %314 = load i64, ptr %303, align 8
  %315 = getelementptr inbounds i8, ptr %311, i64 %314
  store i8 48, ptr %315, align 1
  %316 = add i64 %314, 1
  %317 = icmp slt i64 %316, %279
  br i1 %317, label %318, label %355

318:                                              ; preds = %313, %318
  %319 = phi i64 [ %322, %318 ], [ %316, %313 ]
  %320 = load ptr, ptr %25, align 8
  %321 = getelementptr inbounds i8, ptr %320, i64 %319
  store i8 32, ptr %321, align 1
  %322 = add i64 %319, 1
  %323 = icmp eq i64 %322, %279
  br i1 %323, label %355, label %318

324:                                              ; preds = %284
  %325 = load i64, ptr %280, align 8
  %326 = icmp sgt i64 %325, -1
  br i1 %326, label %327, label %453

327:                                              ; preds = %324
  %328 = load ptr, ptr %0, align 8
  %329 = getelementptr inbounds %struct.node, ptr %328, i64 %325
  %330 = getelementptr inbounds i8, ptr %329, i64 40
  %331 = load i64, ptr %330, align 8
  %332 = icmp eq i64 %331, 1
  br i1 %332, label %333, label %453

333:                                              ; preds = %327
  %334 = getelementptr inbounds i8, ptr %280, i64 59
  %335 = load i8, ptr %334, align 1
  %336 = icmp eq i8 %335, 0
  br i1 %336, label %337, label %453

337:                                              ; preds = %333
  %338 = load ptr, ptr %10, align 8
  %339 = icmp eq ptr %338, null
  br i1 %339, label %453, label %340

340:                                              ; preds = %337
  %341 = load ptr, ptr %25, align 8
  %342 = icmp eq ptr %341, null
  br i1 %342, label %362, label %343

343:                                              ; preds = %340
  %344 = getelementptr inbounds i8, ptr %280, i64 24
  %345 = load i64, ptr %344, align 8
  %346 = getelementptr inbounds i8, ptr %341, i64 %345
  store i8 48, ptr %346, align 1
  %347 = add i64 %345, 1
  %348 = icmp slt i64 %347, %279
  br i1 %348, label %349, label %359

349:                                              ; preds = %343, %349
  %350 = phi i64 [ %353, %349 ], [ %347, %343 ]
  %351 = load ptr, ptr %25, align 8
  %352 = getelementptr inbounds i8, ptr %351, i64 %350
  store i8 32, ptr %352, align 1
  %353 = add i64 %350, 1
  %354 = icmp eq i64 %353, %279
  br i1 %354, label %359, label %349

355:                                              ; preds = %318, %313, %310, %302, %288
  %356 = getelementptr inbounds i8, ptr %280, i64 58
  %357 = load i8, ptr %356, align 2
  %358 = icmp eq i8 %357, 0
  br i1 %358, label %453, label %359

359:                                              ; preds = %349, %355, %343
  %360 = load ptr, ptr %10, align 8
  %361 = icmp eq ptr %360, null
  br i1 %361, label %453, label %362

362:                                              ; preds = %359, %340
  %363 = icmp sgt i64 %277, 0
  br i1 %363, label %366, label %390

364:                                              ; preds = %381
  %365 = icmp sgt i64 %382, -1
  br i1 %365, label %387, label %390

366:                                              ; preds = %362, %381
  %367 = phi i64 [ %383, %381 ], [ 0, %362 ]
  %368 = phi i64 [ %382, %381 ], [ -1, %362 ]
  %369 = getelementptr inbounds %struct.level, ptr %45, i64 %367
  %370 = getelementptr inbounds i8, ptr %369, i64 32
  %371 = load i64, ptr %370, align 8
  %372 = icmp sgt i64 %371, -1
  br i1 %372, label %373, label %381

373:                                              ; preds = %366
  %374 = load ptr, ptr %0, align 8
  %375 = getelementptr inbounds %struct.node, ptr %374, i64 %371
  %376 = getelementptr inbounds i8, ptr %375, i64 40
  %377 = load i64, ptr %376, align 8
  %378 = and i64 %377, -2
  %379 = icmp eq i64 %378, 2
  %380 = select i1 %379, i64 %367, i64 %368
  br label %381

381:                                              ; preds = %373, %366
  %382 = phi i64 [ %368, %366 ], [ %380, %373 ]
  %383 = add i64 %367, 1
  %384 = icmp slt i64 %383, %277
  %385 = icmp slt i64 %382, 0
  %386 = select i1 %384, i1 %385, i1 false
  br i1 %386, label %366, label %364

387:                                              ; preds = %364
  %388 = getelementptr inbounds %struct.level, ptr %45, i64 %382
  %389 = getelementptr inbounds i8, ptr %388, i64 58
  store i8 1, ptr %389, align 2
  br label %453

390:                                              ; preds = %364, %362
  %391 = icmp slt i64 %277, 0
  br i1 %391, label %392, label %410

392:                                              ; preds = %449, %390
  %393 = phi i64 [ %278, %390 ], [ %450, %449 ]
  %394 = load ptr, ptr %23, align 8
  %395 = getelementptr inbounds %struct.level, ptr %394, i64 %277
  %396 = getelementptr inbounds i8, ptr %395, i64 24
  %397 = load i64, ptr %396, align 8
  %398 = icmp slt i64 %397, %279
  br i1 %398, label %399, label %453

399:                                              ; preds = %392, %399
  %400 = phi i64 [ %408, %399 ], [ %397, %392 ]
  %401 = phi i64 [ %406, %399 ], [ %393, %392 ]
  %402 = load ptr, ptr %22, align 8
  %403 = getelementptr inbounds i8, ptr %402, i64 %400
  %404 = load i8, ptr %403, align 1
  %405 = load ptr, ptr %10, align 8
  %406 = add i64 %401, 1
  %407 = getelementptr inbounds i8, ptr %405, i64 %401
  store i8 %404, ptr %407, align 1
  %408 = add i64 %400, 1
  %409 = icmp eq i64 %408, %279
  br i1 %409, label %453, label %399

410:                                              ; preds = %390, %449
  %411 = phi i64 [ %450, %449 ], [ %278, %390 ]
  %412 = phi i64 [ %451, %449 ], [ 0, %390 ]
  %413 = load ptr, ptr %23, align 8
  %414 = getelementptr inbounds %struct.level, ptr %413, i64 %412
  %415 = icmp slt i64 %412, %277
  br i1 %415, label %416, label %420

416:                                              ; preds = %410
  %417 = getelementptr inbounds i8, ptr %414, i64 121
  %418 = load i8, ptr %417, align 1
  %419 = icmp eq i8 %418, 0
  br i1 %419, label %420, label %449

420:                                              ; preds = %416, %410
  %421 = getelementptr inbounds i8, ptr %414, i64 57
  %422 = load i8, ptr %421, align 1
  %423 = icmp eq i8 %422, 0
  %424 = select i1 %423, i8 123, i8 44
  %425 = load ptr, ptr %10, align 8
  %426 = add i64 %411, 1
  %427 = getelementptr inbounds i8, ptr %425, i64 %411
  store i8 %424, ptr %427, align 1
  store i8 1, ptr %421, align 1
  %428 = getelementptr inbounds i8, ptr %414, i64 8
  %429 = load i64, ptr %428, align 8
  %430 = getelementptr inbounds i8, ptr %414, i64 16
  %431 = load i64, ptr %430, align 8
  %432 = icmp slt i64 %429, %431
  br i1 %432, label %433, label %444

433:                                              ; preds = %420, %433
  %434 = phi i64 [ %442, %433 ], [ %429, %420 ]
  %435 = phi i64 [ %440, %433 ], [ %426, %420 ]
  %436 = load ptr, ptr %22, align 8
  %437 = getelementptr inbounds i8, ptr %436, i64 %434
  %438 = load i8, ptr %437, align 1
  %439 = load ptr, ptr %10, align 8
  %440 = add i64 %435, 1
  %441 = getelementptr inbounds i8, ptr %439, i64 %435
  store i8 %438, ptr %441, align 1
  %442 = add i64 %434, 1
  %443 = icmp eq i64 %442, %431
  br i1 %443, label %444, label %433

444:                                              ; preds = %433, %420
  %445 = phi i64 [ %426, %420 ], [ %440, %433 ]
  %446 = load ptr, ptr %10, align 8
  %447 = add i64 %445, 1
  %448 = getelementptr inbounds i8, ptr %446, i64 %445
  store i8 58, ptr %448, align 1
  br label %449

449:                                              ; preds = %444, %416
  %450 = phi i64 [ %447, %444 ], [ %411, %416 ]
  %451 = add i64 %412, 1
  %452 = icmp eq i64 %412, %277
  br i1 %452, label %392, label %410

453:                                              ; preds = %399, %392, %387, %359, %355, %337, %333, %327, %324
  %454 = phi i1 [ true, %355 ], [ true, %359 ], [ true, %387 ], [ true, %324 ], [ true, %392 ], [ false, %333 ], [ true, %327 ], [ true, %337 ], [ true, %399 ]
  %455 = phi i64 [ %278, %355 ], [ %278, %359 ], [ %278, %387 ], [ %278, %324 ], [ %393, %392 ], [ %278, %333 ], [ %278, %327 ], [ %278, %337 ], [ %406, %399 ]
  %456 = getelementptr inbounds i8, ptr %280, i64 58
  store i8 0, ptr %456, align 2
  br label %460

457:                                              ; preds = %294
  %458 = load ptr, ptr %30, align 8
  %459 = getelementptr inbounds i64, ptr %458, i64 %36
  store i64 %292, ptr %459, align 8
  br label %824

460:                                              ; preds = %453, %276
  %461 = phi i1 [ %454, %453 ], [ true, %276 ]
  %462 = phi i64 [ %455, %453 ], [ %278, %276 ]
  %463 = icmp slt i64 %279, %43
  br i1 %463, label %464, label %471

464:                                              ; preds = %460, %468
  %465 = phi i64 [ %469, %468 ], [ %279, %460 ]
  %466 = getelementptr inbounds i8, ptr %44, i64 %465
  %467 = load i8, ptr %466, align 1
  switch i8 %467, label %471 [
    i8 32, label %468
    i8 13, label %468
    i8 9, label %468
    i8 10, label %468
  ]

468:                                              ; preds = %464, %464, %464, %464
  %469 = add i64 %465, 1
  %470 = icmp eq i64 %469, %43
  br i1 %470, label %824, label %464

471:                                              ; preds = %464, %460
  %472 = phi i64 [ %279, %460 ], [ %465, %464 ]
  %473 = icmp slt i64 %472, %43
  br i1 %473, label %474, label %824

474:                                              ; preds = %471
  br i1 %461, label %505, label %475

475:                                              ; preds = %474
  %476 = load ptr, ptr %25, align 8
  %477 = icmp eq ptr %476, null
  br i1 %477, label %501, label %478

478:                                              ; preds = %475
  %479 = getelementptr inbounds i8, ptr %280, i64 8
  %480 = load i64, ptr %479, align 8
  %481 = icmp slt i64 %480, %279
  br i1 %481, label %487, label %482

482:                                              ; preds = %487, %478
  %483 = load ptr, ptr %22, align 8
  %484 = getelementptr inbounds i8, ptr %483, i64 %472
  %485 = load i8, ptr %484, align 1
  %486 = icmp eq i8 %485, 44
  br i1 %486, label %497, label %493

487:                                              ; preds = %478, %487
  %488 = phi i64 [ %491, %487 ], [ %480, %478 ]
  %489 = load ptr, ptr %25, align 8
  %490 = getelementptr inbounds i8, ptr %489, i64 %488
  store i8 32, ptr %490, align 1
  %491 = add i64 %488, 1
  %492 = icmp eq i64 %491, %279
  br i1 %492, label %482, label %487

493:                                              ; preds = %482
  %494 = getelementptr inbounds i8, ptr %280, i64 48
  %495 = load i64, ptr %494, align 8
  %496 = icmp sgt i64 %495, -1
  br i1 %496, label %497, label %501

497:                                              ; preds = %493, %482
  %498 = phi i64 [ %472, %482 ], [ %495, %493 ]
  %499 = load ptr, ptr %25, align 8
  %500 = getelementptr inbounds i8, ptr %499, i64 %498
  store i8 32, ptr %500, align 1
  br label %501

501:                                              ; preds = %497, %493, %475
  %502 = getelementptr inbounds i8, ptr %44, i64 %472
  %503 = load i8, ptr %502, align 1
  %504 = icmp eq i8 %503, 44
  br i1 %504, label %511, label %542

505:                                              ; preds = %474
  %506 = getelementptr inbounds i8, ptr %44, i64 %472
  %507 = load i8, ptr %506, align 1
  %508 = icmp eq i8 %507, 44
  br i1 %508, label %509, label %542

509:                                              ; preds = %505
  %510 = getelementptr inbounds i8, ptr %280, i64 48
  store i64 %472, ptr %510, align 8
  br label %511

511:                                              ; preds = %509, %501
  %512 = add i64 %472, 1
  %513 = icmp slt i64 %512, %43
  br i1 %513, label %514, label %521

514:                                              ; preds = %511, %518
  %515 = phi i64 [ %519, %518 ], [ %512, %511 ]
  %516 = getelementptr inbounds i8, ptr %44, i64 %515
  %517 = load i8, ptr %516, align 1
  switch i8 %517, label %521 [
    i8 32, label %518
    i8 13, label %518
    i8 9, label %518
    i8 10, label %518
  ]

518:                                              ; preds = %514, %514, %514, %514
  %519 = add i64 %515, 1
  %520 = icmp eq i64 %519, %43
  br i1 %520, label %824, label %514

521:                                              ; preds = %514, %511
  %522 = phi i64 [ %512, %511 ], [ %515, %514 ]
  %523 = icmp slt i64 %522, %43
  br i1 %523, label %524, label %824

524:                                              ; preds = %521
  %525 = load i8, ptr %281, align 8
  %526 = icmp eq i8 %525, 0
  br i1 %526, label %530, label %527

527:                                              ; preds = %524
  %528 = getelementptr inbounds i8, ptr %44, i64 %522
  %529 = load i8, ptr %528, align 1
  br label %579

530:                                              ; preds = %524
  %531 = load i64, ptr %280, align 8
  %532 = icmp sgt i64 %531, -1
  br i1 %532, label %533, label %817

533:                                              ; preds = %530
  %534 = load ptr, ptr %0, align 8
  %535 = getelementptr inbounds %struct.node, ptr %534, i64 %531
  %536 = getelementptr inbounds i8, ptr %535, i64 40
  %537 = load i64, ptr %536, align 8
  %538 = icmp eq i64 %537, 2
  br i1 %538, label %539, label %817

539:                                              ; preds = %533
  %540 = getelementptr inbounds i8, ptr %535, i64 16
  %541 = load i64, ptr %540, align 8
  br label %817

542:                                              ; preds = %505, %501
  %543 = phi i8 [ %507, %505 ], [ %503, %501 ]
  %544 = zext i8 %543 to i32
  %545 = load i8, ptr %281, align 8
  %546 = icmp eq i8 %545, 0
  %547 = select i1 %546, i32 93, i32 125
  %548 = icmp eq i32 %547, %544
  br i1 %548, label %549, label %824

549:                                              ; preds = %542
  %550 = getelementptr inbounds i8, ptr %280, i64 57
  %551 = load i8, ptr %550, align 1
  %552 = icmp eq i8 %551, 0
  br i1 %552, label %559, label %553

553:                                              ; preds = %549
  %554 = load ptr, ptr %10, align 8
  %555 = icmp eq ptr %554, null
  br i1 %555, label %559, label %556

556:                                              ; preds = %553
  %557 = add i64 %462, 1
  %558 = getelementptr inbounds i8, ptr %554, i64 %462
  store i8 125, ptr %558, align 1
  br label %559

559:                                              ; preds = %556, %553, %549, %121
  %560 = phi i64 [ %472, %556 ], [ %472, %553 ], [ %472, %549 ], [ %119, %121 ]
  %561 = phi i64 [ %277, %556 ], [ %277, %553 ], [ %277, %549 ], [ %70, %121 ]
  %562 = phi i64 [ %557, %556 ], [ %462, %553 ], [ %462, %549 ], [ %65, %121 ]
  %563 = freeze i64 %562
  %564 = add i64 %560, 1
  %565 = add i64 %561, -1
  %566 = icmp sgt i64 %561, 0
  br i1 %566, label %276, label %567

567:                                              ; preds = %559
  %568 = icmp slt i64 %564, %43
  br i1 %568, label %569, label %576

569:                                              ; preds = %567, %573
  %570 = phi i64 [ %574, %573 ], [ %564, %567 ]
  %571 = getelementptr inbounds i8, ptr %44, i64 %570
  %572 = load i8, ptr %571, align 1
  switch i8 %572, label %576 [
    i8 32, label %573
    i8 13, label %573
    i8 9, label %573
    i8 10, label %573
  ]

573:                                              ; preds = %569, %569, %569, %569
  %574 = add i64 %570, 1
  %575 = icmp eq i64 %574, %43
  br i1 %575, label %828, label %569

576:                                              ; preds = %569, %567
  %577 = phi i64 [ %564, %567 ], [ %570, %569 ]
  %578 = icmp eq i64 %577, %43
  br i1 %578, label %828, label %824

579:                                              ; preds = %527, %138
  %580 = phi i8 [ %123, %138 ], [ %529, %527 ]
  %581 = phi i64 [ %70, %138 ], [ %277, %527 ]
  %582 = phi i64 [ %65, %138 ], [ %462, %527 ]
  %583 = phi i64 [ %119, %138 ], [ %522, %527 ]
  %584 = getelementptr inbounds i8, ptr %44, i64 %583
  %585 = icmp eq i8 %580, 34
  br i1 %585, label %586, label %824

586:                                              ; preds = %579
  %587 = getelementptr inbounds %struct.level, ptr %45, i64 %581
  store i32 0, ptr %9, align 4
  %588 = getelementptr inbounds i8, ptr %587, i64 8
  store i64 %583, ptr %588, align 8
  %589 = add i64 %583, 1
  %590 = call fastcc i64 @end_of_string(ptr %44, i64 %589, i64 %43, ptr %9)
  %591 = icmp slt i64 %590, 0
  br i1 %591, label %814, label %592

592:                                              ; preds = %586
  %593 = getelementptr inbounds i8, ptr %587, i64 16
  store i64 %590, ptr %593, align 8
  %594 = getelementptr inbounds i8, ptr %587, i64 32
  store i64 -1, ptr %594, align 8
  %595 = load i64, ptr %587, align 8
  %596 = icmp sgt i64 %595, -1
  br i1 %596, label %597, label %784

597:                                              ; preds = %592
  %598 = load ptr, ptr %0, align 8
  %599 = getelementptr inbounds %struct.node, ptr %598, i64 %595
  %600 = getelementptr inbounds i8, ptr %599, i64 40
  %601 = load i64, ptr %600, align 8
  switch i64 %601, label %784 [
    i64 1, label %602
    i64 3, label %781
  ]

602:                                              ; preds = %597
  %603 = getelementptr inbounds i8, ptr %584, i64 1
  %604 = sub i64 %590, %583
  %605 = add i64 %604, -2
  %606 = load i32, ptr %9, align 4
  %607 = getelementptr inbounds i8, ptr %587, i64 40
  %608 = load i64, ptr %607, align 8
  %609 = add i64 %608, 1
  %610 = getelementptr inbounds i8, ptr %599, i64 16
  %611 = load i64, ptr %610, align 8
  %612 = getelementptr inbounds i8, ptr %599, i64 24
  %613 = load i64, ptr %612, align 8
  %614 = add i64 %613, %611
  %615 = icmp slt i64 %609, %614
  %616 = select i1 %615, i64 %609, i64 %611
  %617 = icmp eq i64 %613, 0
  br i1 %617, label %671, label %618

618:                                              ; preds = %602
  %619 = getelementptr inbounds %struct.node, ptr %598, i64 %616
  %620 = icmp eq i32 %606, 0
  br i1 %620, label %621, label %625

621:                                              ; preds = %618
  %622 = getelementptr inbounds i8, ptr %619, i64 8
  %623 = load i64, ptr %622, align 8
  %624 = icmp eq i64 %623, %605
  br i1 %624, label %625, label %671

625:                                              ; preds = %621, %618
  store i64 0, ptr %7, align 8
  %626 = icmp sgt i64 %604, 2
  %627 = getelementptr inbounds i8, ptr %619, i64 8
  br i1 %626, label %633, label %628

628:                                              ; preds = %625
  %629 = load i64, ptr %627, align 8
  br label %667

630:                                              ; preds = %662
  %631 = load i64, ptr %7, align 8
  %632 = icmp slt i64 %631, %605
  br i1 %632, label %633, label %667

633:                                              ; preds = %625, %630
  %634 = phi i64 [ %631, %630 ], [ 0, %625 ]
  %635 = phi i64 [ %653, %630 ], [ 0, %625 ]
  br i1 %620, label %638, label %636

636:                                              ; preds = %633
  %637 = call fastcc i32 @spelled(ptr %603, ptr %7, ptr %6)
  br label %642

638:                                              ; preds = %633
  %639 = add i64 %634, 1
  store i64 %639, ptr %7, align 8
  %640 = getelementptr inbounds i8, ptr %603, i64 %634
  %641 = load i8, ptr %640, align 1
  store i8 %641, ptr %6, align 1
  br label %642

642:                                              ; preds = %638, %636
  %643 = phi i32 [ %637, %636 ], [ 1, %638 ]
  %644 = zext i32 %643 to i64
  %645 = load i64, ptr %627, align 8
  %646 = sub i64 %645, %635
  %647 = icmp slt i64 %646, %644
  br i1 %647, label %666, label %648

648:                                              ; preds = %642
  %649 = load ptr, ptr %619, align 8
  %650 = add i64 %635, 1
  %651 = add i32 %643, -1
  %652 = zext i32 %651 to i64
  %653 = add i64 %650, %652
  br label %654

654:                                              ; preds = %662, %648
  %655 = phi i64 [ 0, %648 ], [ %664, %662 ]
  %656 = phi i64 [ %635, %648 ], [ %663, %662 ]
  %657 = getelementptr inbounds i8, ptr %649, i64 %656
  %658 = load i8, ptr %657, align 1
  %659 = getelementptr inbounds i8, ptr %6, i64 %655
  %660 = load i8, ptr %659, align 1
  %661 = icmp eq i8 %658, %660
  br i1 %661, label %662, label %666

662:                                              ; preds = %654
  %663 = add i64 %656, 1
  %664 = add i64 %655, 1
  %665 = icmp eq i64 %664, %644
  br i1 %665, label %630, label %654

666:                                              ; preds = %642, %654
  br label %671

667:                                              ; preds = %630, %628
  %668 = phi i64 [ %629, %628 ], [ %645, %630 ]
  %669 = phi i64 [ 0, %628 ], [ %653, %630 ]
  %670 = icmp eq i64 %669, %668
  br i1 %670, label %777, label %671

671:                                              ; preds = %667, %666, %621, %602
  %672 = trunc i64 %595 to i32
  %673 = xor i32 %672, -2128831035
  store i64 0, ptr %5, align 8
  %674 = icmp sgt i64 %604, 2
  br i1 %674, label %675, label %702

675:                                              ; preds = %671
  %676 = icmp eq i32 %606, 0
  br label %680

677:                                              ; preds = %692
  %678 = load i64, ptr %5, align 8
  %679 = icmp slt i64 %678, %605
  br i1 %679, label %680, label %702

680:                                              ; preds = %677, %675
  %681 = phi i64 [ 0, %675 ], [ %678, %677 ]
  %682 = phi i32 [ %673, %675 ], [ %699, %677 ]
  br i1 %676, label %686, label %683

683:                                              ; preds = %680
  %684 = call fastcc i32 @spelled(ptr %603, ptr %5, ptr %4)
  %685 = zext i32 %684 to i64
  br label %690

686:                                              ; preds = %680
  %687 = add i64 %681, 1
  store i64 %687, ptr %5, align 8
  %688 = getelementptr inbounds i8, ptr %603, i64 %681
  %689 = load i8, ptr %688, align 1
  store i8 %689, ptr %4, align 1
  br label %690

690:                                              ; preds = %686, %683
  %691 = phi i64 [ %685, %683 ], [ 1, %686 ]
  br label %692

692:                                              ; preds = %692, %690
  %693 = phi i64 [ 0, %690 ], [ %700, %692 ]
  %694 = phi i32 [ %682, %690 ], [ %699, %692 ]
  %695 = getelementptr inbounds i8, ptr %4, i64 %693
  %696 = load i8, ptr %695, align 1
  %697 = zext i8 %696 to i32
  %698 = xor i32 %694, %697
  %699 = mul i32 %698, 16777619
  %700 = add i64 %693, 1
  %701 = icmp eq i64 %700, %691
  br i1 %701, label %677, label %692

702:                                              ; preds = %677, %671
  %703 = phi i32 [ %673, %671 ], [ %699, %677 ]
  %704 = zext i32 %703 to i64
  %705 = load i64, ptr %28, align 8
  %706 = and i64 %705, %704
  %707 = load ptr, ptr %29, align 8
  %708 = getelementptr inbounds i64, ptr %707, i64 %706
  %709 = load i64, ptr %708, align 8
  %710 = icmp sgt i64 %709, -1
  br i1 %710, label %711, label %776

711:                                              ; preds = %702
  %712 = icmp eq i32 %606, 0
  br label %713

713:                                              ; preds = %770, %711
  %714 = phi i64 [ %709, %711 ], [ %774, %770 ]
  %715 = phi i64 [ %706, %711 ], [ %772, %770 ]
  %716 = icmp sge i64 %714, %611
  %717 = icmp slt i64 %714, %614
  %718 = select i1 %716, i1 %717, i1 false
  br i1 %718, label %719, label %770

719:                                              ; preds = %713
  %720 = getelementptr inbounds %struct.node, ptr %598, i64 %714
  br i1 %712, label %721, label %725

721:                                              ; preds = %719
  %722 = getelementptr inbounds i8, ptr %720, i64 8
  %723 = load i64, ptr %722, align 8
  %724 = icmp eq i64 %723, %605
  br i1 %724, label %725, label %770

725:                                              ; preds = %721, %719
  store i64 0, ptr %3, align 8
  %726 = getelementptr inbounds i8, ptr %720, i64 8
  br i1 %674, label %732, label %727

727:                                              ; preds = %725
  %728 = load i64, ptr %726, align 8
  br label %766

729:                                              ; preds = %761
  %730 = load i64, ptr %3, align 8
  %731 = icmp slt i64 %730, %605
  br i1 %731, label %732, label %766

732:                                              ; preds = %725, %729
  %733 = phi i64 [ %730, %729 ], [ 0, %725 ]
  %734 = phi i64 [ %752, %729 ], [ 0, %725 ]
  br i1 %712, label %737, label %735

735:                                              ; preds = %732
  %736 = call fastcc i32 @spelled(ptr %603, ptr %3, ptr %2)
  br label %741

737:                                              ; preds = %732
  %738 = add i64 %733, 1
  store i64 %738, ptr %3, align 8
  %739 = getelementptr inbounds i8, ptr %603, i64 %733
  %740 = load i8, ptr %739, align 1
  store i8 %740, ptr %2, align 1
  br label %741

741:                                              ; preds = %737, %735
  %742 = phi i32 [ %736, %735 ], [ 1, %737 ]
  %743 = zext i32 %742 to i64
  %744 = load i64, ptr %726, align 8
  %745 = sub i64 %744, %734
  %746 = icmp slt i64 %745, %743
  br i1 %746, label %765, label %747

747:                                              ; preds = %741
  %748 = load ptr, ptr %720, align 8
  %749 = add i64 %734, 1
  %750 = add i32 %742, -1
  %751 = zext i32 %750 to i64
  %752 = add i64 %749, %751
  br label %753

753:                                              ; preds = %761, %747
  %754 = phi i64 [ 0, %747 ], [ %763, %761 ]
  %755 = phi i64 [ %734, %747 ], [ %762, %761 ]
  %756 = getelementptr inbounds i8, ptr %748, i64 %755
  %757 = load i8, ptr %756, align 1
  %758 = getelementptr inbounds i8, ptr %2, i64 %754
  %759 = load i8, ptr %758, align 1
  %760 = icmp eq i8 %757, %759
  br i1 %760, label %761, label %765

761:                                              ; preds = %753
  %762 = add i64 %755, 1
  %763 = add i64 %754, 1
  %764 = icmp eq i64 %763, %743
  br i1 %764, label %729, label %753

765:                                              ; preds = %741, %753
  br label %770

766:                                              ; preds = %729, %727
  %767 = phi i64 [ %728, %727 ], [ %744, %729 ]
  %768 = phi i64 [ 0, %727 ], [ %752, %729 ]
  %769 = icmp eq i64 %768, %767
  br i1 %769, label %777, label %770

770:                                              ; preds = %766, %765, %721, %713
  %771 = add i64 %715, 1
  %772 = and i64 %771, %705
  %773 = getelementptr inbounds i64, ptr %707, i64 %772
  %774 = load i64, ptr %773, align 8
  %775 = icmp sgt i64 %774, -1
  br i1 %775, label %713, label %776

776:                                              ; preds = %770, %702
  store i64 -1, ptr %594, align 8
  br label %784

777:                                              ; preds = %766, %667
  %778 = phi i64 [ %616, %667 ], [ %714, %766 ]
  store i64 %778, ptr %594, align 8
  %779 = icmp sgt i64 %778, -1
  br i1 %779, label %780, label %784

780:                                              ; preds = %777
  store i64 %778, ptr %607, align 8
  br label %784

781:                                              ; preds = %597
  %782 = getelementptr inbounds i8, ptr %599, i64 16
  %783 = load i64, ptr %782, align 8
  store i64 %783, ptr %594, align 8
  br label %784

784:                                              ; preds = %781, %780, %777, %776, %597, %592
  %785 = phi i64 [ -1, %776 ], [ %783, %781 ], [ %778, %780 ], [ %778, %777 ], [ -1, %597 ], [ -1, %592 ]
  %786 = icmp slt i64 %590, %43
  br i1 %786, label %787, label %794

787:                                              ; preds = %784, %791
  %788 = phi i64 [ %792, %791 ], [ %590, %784 ]
  %789 = getelementptr inbounds i8, ptr %44, i64 %788
  %790 = load i8, ptr %789, align 1
  switch i8 %790, label %794 [
    i8 32, label %791
    i8 13, label %791
    i8 9, label %791
    i8 10, label %791
  ]

791:                                              ; preds = %787, %787, %787, %787
  %792 = add i64 %788, 1
  %793 = icmp eq i64 %792, %43
  br i1 %793, label %814, label %787

794:                                              ; preds = %787, %784
  %795 = phi i64 [ %590, %784 ], [ %788, %787 ]
  %796 = icmp slt i64 %795, %43
  br i1 %796, label %797, label %814

797:                                              ; preds = %794
  %798 = getelementptr inbounds i8, ptr %44, i64 %795
  %799 = load i8, ptr %798, align 1
  %800 = icmp eq i8 %799, 58
  br i1 %800, label %801, label %814

801:                                              ; preds = %797
  %802 = add i64 %795, 1
  %803 = icmp slt i64 %802, %43
  br i1 %803, label %804, label %811

804:                                              ; preds = %801, %808
  %805 = phi i64 [ %809, %808 ], [ %802, %801 ]
  %806 = getelementptr inbounds i8, ptr %44, i64 %805
  %807 = load i8, ptr %806, align 1
  switch i8 %807, label %811 [
    i8 32, label %808
    i8 13, label %808
    i8 9, label %808
    i8 10, label %808
  ]

808:                                              ; preds = %804, %804, %804, %804
  %809 = add i64 %805, 1
  %810 = icmp eq i64 %809, %43
  br i1 %810, label %814, label %804

811:                                              ; preds = %804, %801
  %812 = phi i64 [ %802, %801 ], [ %805, %804 ]
  %813 = icmp slt i64 %812, %43
  br i1 %813, label %815, label %814

814:                                              ; preds = %811, %797, %794, %586, %791, %808
  br label %824

815:                                              ; preds = %811
  %816 = getelementptr inbounds i8, ptr %587, i64 24
  store i64 %812, ptr %816, align 8
  br label %817

817:                                              ; preds = %815, %539, %533, %530, %138, %135, %129
  %818 = phi i64 [ %812, %815 ], [ %522, %530 ], [ %522, %533 ], [ %119, %129 ], [ %119, %135 ], [ %522, %539 ], [ %119, %138 ]
  %819 = phi i64 [ %582, %815 ], [ %462, %530 ], [ %462, %533 ], [ %65, %129 ], [ %65, %135 ], [ %462, %539 ], [ %65, %138 ]
  %820 = phi i64 [ %581, %815 ], [ %277, %530 ], [ %277, %533 ], [ %70, %129 ], [ %70, %135 ], [ %277, %539 ], [ %70, %138 ]
  %821 = phi i64 [ %785, %815 ], [ -1, %530 ], [ -1, %533 ], [ -1, %129 ], [ %137, %135 ], [ %541, %539 ], [ -1, %138 ]
  %822 = getelementptr inbounds i8, ptr %44, i64 %818
  %823 = load i8, ptr %822, align 1
  br label %61

824:                                              ; preds = %51, %579, %118, %542, %521, %471, %69, %273, %115, %468, %518, %57, %54, %272, %457, %576, %814
  %825 = phi i64 [ -2, %115 ], [ -2, %576 ], [ -4, %457 ], [ -2, %272 ], [ -2, %518 ], [ -2, %54 ], [ -2, %57 ], [ -2, %273 ], [ -2, %814 ], [ -2, %468 ], [ -2, %579 ], [ -2, %118 ], [ -2, %542 ], [ -2, %521 ], [ -2, %471 ], [ -3, %69 ], [ -2, %51 ]
  %826 = trunc i64 %825 to i8
  %827 = xor i8 %826, -1
  br label %833

828:                                              ; preds = %573, %576
  %829 = icmp slt i64 %563, 0
  %830 = trunc i64 %563 to i8
  %831 = xor i8 %830, -1
  %832 = select i1 %829, i8 %831, i8 0
  br label %833

833:                                              ; preds = %828, %824
  %834 = phi i64 [ %563, %828 ], [ %825, %824 ]
  %835 = phi i8 [ %832, %828 ], [ %827, %824 ]
  %836 = load ptr, ptr %31, align 8
  %837 = getelementptr inbounds i8, ptr %836, i64 %36
  store i8 %835, ptr %837, align 1
  %838 = load ptr, ptr %10, align 8
  %839 = icmp eq ptr %838, null
  br i1 %839, label %845, label %840

840:                                              ; preds = %833
  %841 = icmp slt i64 %834, 0
  %842 = select i1 %841, i64 %35, i64 %834
  %843 = load ptr, ptr %32, align 8
  %844 = getelementptr inbounds i64, ptr %843, i64 %40
  store i64 %842, ptr %844, align 8
  br label %845

845:                                              ; preds = %833, %840
  %846 = phi i64 [ %842, %840 ], [ %35, %833 ]
  %847 = load i64, ptr %17, align 8
  %848 = icmp slt i64 %40, %847
  br i1 %848, label %34, label %33
}

define void @gather_texts(ptr %0, i64 %1, ptr %2, ptr %3, ptr %4, ptr %5) {
  %7 = icmp sgt i64 %1, 0
  br i1 %7, label %9, label %8

8:                                                ; preds = %30, %6
  ret void

9:                                                ; preds = %6, %30
  %10 = phi i64 [ %31, %30 ], [ 0, %6 ]
  %11 = getelementptr inbounds i64, ptr %2, i64 %10
  %12 = load i64, ptr %11, align 8
  %13 = icmp slt i64 %12, 0
  br i1 %13, label %30, label %14

14:                                               ; preds = %9
  %15 = getelementptr inbounds i8, ptr %0, i64 %12
  %16 = getelementptr inbounds i64, ptr %5, i64 %10
  %17 = load i64, ptr %16, align 8
  %18 = getelementptr inbounds i8, ptr %4, i64 %17
  %19 = getelementptr inbounds i64, ptr %3, i64 %10
  %20 = load i64, ptr %19, align 8
  %21 = sub i64 %20, %12
  %22 = icmp sgt i64 %21, 0
  br i1 %22, label %23, label %30

23:                                               ; preds = %14, %23
  %24 = phi i64 [ %28, %23 ], [ 0, %14 ]
  %25 = getelementptr inbounds i8, ptr %15, i64 %24
  %26 = load i8, ptr %25, align 1
  %27 = getelementptr inbounds i8, ptr %18, i64 %24
  store i8 %26, ptr %27, align 1
  %28 = add i64 %24, 1
  %29 = icmp eq i64 %28, %21
  br i1 %29, label %30, label %23

30:                                               ; preds = %23, %14, %9
  %31 = add i64 %10, 1
  %32 = icmp eq i64 %31, %1
  br i1 %32, label %8, label %9
}

define internal fastcc i64 @end_of_string(ptr %0, i64 %1, i64 %2, ptr %3) {
  %5 = icmp slt i64 %1, %2
  br i1 %5, label %6, label %78

6:                                                ; preds = %4, %74
  %7 = phi i64 [ %75, %74 ], [ %1, %4 ]
  %8 = sub i64 %2, %7
  %9 = icmp sgt i64 %8, 15
  br i1 %9, label %13, label %10

10:                                               ; preds = %24, %6
  %11 = phi i64 [ %7, %6 ], [ %25, %24 ]
  %12 = icmp slt i64 %11, %2
  br i1 %12, label %32, label %41

13:                                               ; preds = %6, %24
  %14 = phi i64 [ %25, %24 ], [ %7, %6 ]
  %15 = getelementptr inbounds i8, ptr %0, i64 %14
  %16 = load <16 x i8>, ptr %15, align 1
  %17 = icmp eq <16 x i8> %16, splat (i8 34)
  %18 = icmp eq <16 x i8> %16, splat (i8 92)
  %19 = or <16 x i1> %17, %18
  %20 = icmp ult <16 x i8> %16, splat (i8 32)
  %21 = or <16 x i1> %20, %19
  %22 = bitcast <16 x i1> %21 to i16
  %23 = icmp eq i16 %22, 0
  br i1 %23, label %24, label %28

24:                                               ; preds = %13
  %25 = add i64 %14, 16
  %26 = sub i64 %2, %25
  %27 = icmp sgt i64 %26, 15
  br i1 %27, label %13, label %10

28:                                               ; preds = %13
  %29 = call i16 @llvm.cttz.i16(i16 %22, i1 true)
  %30 = zext i16 %29 to i64
  %31 = add i64 %14, %30
  br label %41

32:                                               ; preds = %10, %38
  %33 = phi i64 [ %39, %38 ], [ %11, %10 ]
  %34 = getelementptr inbounds i8, ptr %0, i64 %33
  %35 = load i8, ptr %34, align 1
  switch i8 %35, label %36 [
    i8 34, label %41
    i8 92, label %41
  ]

36:                                               ; preds = %32
  %37 = icmp ugt i8 %35, 31
  br i1 %37, label %38, label %41

38:                                               ; preds = %36
  %39 = add i64 %33, 1
  %40 = icmp eq i64 %39, %2
  br i1 %40, label %78, label %32

41:                                               ; preds = %36, %32, %32, %10, %28
  %42 = phi i64 [ %31, %28 ], [ %11, %10 ], [ %33, %32 ], [ %33, %32 ], [ %33, %36 ]
  %43 = icmp slt i64 %42, %2
  br i1 %43, label %44, label %78

44:                                               ; preds = %41
  %45 = add i64 %42, 1
  %46 = getelementptr inbounds i8, ptr %0, i64 %42
  %47 = load i8, ptr %46, align 1
  switch i8 %47, label %78 [
    i8 34, label %77
    i8 92, label %48
  ]

48:                                               ; preds = %44
  store i32 1, ptr %3, align 4
  %49 = icmp slt i64 %45, %2
  br i1 %49, label %50, label %78

50:                                               ; preds = %48
  %51 = add i64 %42, 2
  %52 = getelementptr inbounds i8, ptr %0, i64 %45
  %53 = load i8, ptr %52, align 1
  switch i8 %53, label %78 [
    i8 34, label %74
    i8 92, label %74
    i8 47, label %74
    i8 98, label %74
    i8 102, label %74
    i8 110, label %74
    i8 114, label %74
    i8 116, label %74
    i8 117, label %54
  ]

54:                                               ; preds = %50
  %55 = sub i64 %2, %51
  %56 = icmp slt i64 %55, 4
  br i1 %56, label %78, label %57

57:                                               ; preds = %54
  %58 = getelementptr i8, ptr %0, i64 %51
  br label %62

59:                                               ; preds = %62
  %60 = add i64 %63, 1
  %61 = icmp eq i64 %60, 4
  br i1 %61, label %72, label %62

62:                                               ; preds = %57, %59
  %63 = phi i64 [ 0, %57 ], [ %60, %59 ]
  %64 = getelementptr i8, ptr %58, i64 %63
  %65 = load i8, ptr %64, align 1
  %66 = add i8 %65, -58
  %67 = icmp ult i8 %66, -10
  %68 = and i8 %65, -33
  %69 = add i8 %68, -71
  %70 = icmp ult i8 %69, -6
  %71 = and i1 %67, %70
  br i1 %71, label %78, label %59

72:                                               ; preds = %59
  %73 = add i64 %42, 6
  br label %74

74:                                               ; preds = %50, %50, %50, %50, %50, %50, %50, %50, %72
  %75 = phi i64 [ %73, %72 ], [ %51, %50 ], [ %51, %50 ], [ %51, %50 ], [ %51, %50 ], [ %51, %50 ], [ %51, %50 ], [ %51, %50 ], [ %51, %50 ]
  %76 = icmp slt i64 %75, %2
  br i1 %76, label %6, label %78

77:                                               ; preds = %44
  br label %78

78:                                               ; preds = %38, %62, %74, %41, %54, %50, %48, %44, %77, %4
  %79 = phi i64 [ -1, %62 ], [ %45, %77 ], [ -1, %4 ], [ -1, %74 ], [ -1, %44 ], [ -1, %48 ], [ -1, %50 ], [ -1, %54 ], [ -1, %41 ], [ -1, %38 ]
  ret i64 %79
}

define internal fastcc i32 @spelled(ptr %0, ptr %1, ptr %2) {
  %4 = load i64, ptr %1, align 8
  %5 = add i64 %4, 1
  store i64 %5, ptr %1, align 8
  %6 = getelementptr inbounds i8, ptr %0, i64 %4
  %7 = load i8, ptr %6, align 1
  %8 = icmp eq i8 %7, 92
  br i1 %8, label %10, label %9

9:                                                ; preds = %3
  store i8 %7, ptr %2, align 1
  br label %121

10:                                               ; preds = %3
  %11 = add i64 %4, 2
  store i64 %11, ptr %1, align 8
  %12 = getelementptr inbounds i8, ptr %0, i64 %5
  %13 = load i8, ptr %12, align 1
  switch i8 %13, label %15 [
    i8 117, label %21
    i8 98, label %19
    i8 102, label %16
    i8 110, label %17
    i8 114, label %18
    i8 116, label %14
  ]

14:                                               ; preds = %10
  br label %19

15:                                               ; preds = %10
  br label %19

16:                                               ; preds = %10
  br label %19

17:                                               ; preds = %10
  br label %19

18:                                               ; preds = %10
  br label %19

19:                                               ; preds = %14, %10, %18, %17, %16, %15
  %20 = phi i8 [ 8, %10 ], [ 10, %17 ], [ 12, %16 ], [ %13, %15 ], [ 13, %18 ], [ 9, %14 ]
  store i8 %20, ptr %2, align 1
  br label %121

21:                                               ; preds = %10
  %22 = getelementptr inbounds i8, ptr %0, i64 %11
  br label %23

23:                                               ; preds = %23, %21
  %24 = phi i64 [ 0, %21 ], [ %36, %23 ]
  %25 = phi i32 [ 0, %21 ], [ %35, %23 ]
  %26 = shl i32 %25, 4
  %27 = getelementptr inbounds i8, ptr %22, i64 %24
  %28 = load i8, ptr %27, align 1
  %29 = zext i8 %28 to i32
  %30 = icmp ult i8 %28, 58
  %31 = add i32 %29, -48
  %32 = or i32 %29, 32
  %33 = add i32 %32, -87
  %34 = select i1 %30, i32 %31, i32 %33
  %35 = add i32 %34, %26
  %36 = add i64 %24, 1
  %37 = icmp eq i64 %36, 4
  br i1 %37, label %38, label %23

38:                                               ; preds = %23
  %39 = add i64 %4, 6
  store i64 %39, ptr %1, align 8
  %40 = icmp ult i32 %35, 128
  br i1 %40, label %41, label %43

41:                                               ; preds = %38
  %42 = trunc i32 %35 to i8
  store i8 %42, ptr %2, align 1
  br label %121

43:                                               ; preds = %38
  %44 = icmp ult i32 %35, 2048
  br i1 %44, label %45, label %53

45:                                               ; preds = %43
  %46 = lshr i32 %35, 6
  %47 = trunc i32 %46 to i8
  %48 = or i8 %47, -64
  store i8 %48, ptr %2, align 1
  %49 = trunc i32 %35 to i8
  %50 = and i8 %49, 63
  %51 = or i8 %50, -128
  %52 = getelementptr inbounds i8, ptr %2, i64 1
  store i8 %51, ptr %52, align 1
  br label %121

53:                                               ; preds = %43
  %54 = and i32 %35, -1024
  %55 = icmp eq i32 %54, 55296
  br i1 %55, label %56, label %108

56:                                               ; preds = %53
  %57 = getelementptr inbounds i8, ptr %0, i64 %39
  %58 = load i8, ptr %57, align 1
  %59 = icmp eq i8 %58, 92
  br i1 %59, label %60, label %108

60:                                               ; preds = %56
  %61 = getelementptr i8, ptr %22, i64 5
  %62 = load i8, ptr %61, align 1
  %63 = icmp eq i8 %62, 117
  br i1 %63, label %64, label %108

64:                                               ; preds = %60
  %65 = getelementptr inbounds i8, ptr %57, i64 2
  br label %66

66:                                               ; preds = %66, %64
  %67 = phi i64 [ 0, %64 ], [ %79, %66 ]
  %68 = phi i32 [ 0, %64 ], [ %78, %66 ]
  %69 = shl i32 %68, 4
  %70 = getelementptr inbounds i8, ptr %65, i64 %67
  %71 = load i8, ptr %70, align 1
  %72 = zext i8 %71 to i32
  %73 = icmp ult i8 %71, 58
  %74 = add i32 %72, -48
  %75 = or i32 %72, 32
  %76 = add i32 %75, -87
  %77 = select i1 %73, i32 %74, i32 %76
  %78 = add i32 %77, %69
  %79 = add i64 %67, 1
  %80 = icmp eq i64 %79, 4
  br i1 %80, label %81, label %66

81:                                               ; preds = %66
  %82 = and i32 %78, -1024
  %83 = icmp eq i32 %82, 56320
  br i1 %83, label %84, label %108

84:                                               ; preds = %81
  %85 = add i64 %4, 12
  store i64 %85, ptr %1, align 8
  %86 = shl i32 %35, 10
  %87 = and i32 %86, 1047552
  %88 = and i32 %78, 1023
  %89 = or i32 %88, %87
  %90 = add i32 %89, 65536
  %91 = lshr i32 %90, 18
  %92 = trunc i32 %91 to i8
  %93 = or i8 %92, -16
  store i8 %93, ptr %2, align 1
  %94 = lshr i32 %90, 12
  %95 = trunc i32 %94 to i8
  %96 = and i8 %95, 63
  %97 = or i8 %96, -128
  %98 = getelementptr inbounds i8, ptr %2, i64 1
  store i8 %97, ptr %98, align 1
  %99 = lshr i32 %89, 6
  %100 = trunc i32 %99 to i8
  %101 = and i8 %100, 63
  %102 = or i8 %101, -128
  %103 = getelementptr inbounds i8, ptr %2, i64 2
  store i8 %102, ptr %103, align 1
  %104 = trunc i32 %78 to i8
  %105 = and i8 %104, 63
  %106 = or i8 %105, -128
  %107 = getelementptr inbounds i8, ptr %2, i64 3
  store i8 %106, ptr %107, align 1
  br label %121

108:                                              ; preds = %81, %60, %56, %53
  %109 = lshr i32 %35, 12
  %110 = trunc i32 %109 to i8
  %111 = or i8 %110, -32
  store i8 %111, ptr %2, align 1
  %112 = lshr i32 %35, 6
  %113 = trunc i32 %112 to i8
  %114 = and i8 %113, 63
  %115 = or i8 %114, -128
  %116 = getelementptr inbounds i8, ptr %2, i64 1
  store i8 %115, ptr %116, align 1
  %117 = trunc i32 %35 to i8
  %118 = and i8 %117, 63
  %119 = or i8 %118, -128
  %120 = getelementptr inbounds i8, ptr %2, i64 2
  store i8 %119, ptr %120, align 1
  br label %121

121:                                              ; preds = %84, %41, %45, %108, %19, %9
  %122 = phi i32 [ 1, %9 ], [ 1, %19 ], [ 1, %41 ], [ 2, %45 ], [ 3, %108 ], [ 4, %84 ]
  ret i32 %122
}

declare i16 @llvm.cttz.i16(i16, i1 immarg)
